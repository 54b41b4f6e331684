// NCBI's E-utilities for db=pubmed: esearch (XML and JSON, with history), efetch, esummary, epost
// and einfo under /pubmed/ or /pubmed/entrez/eutils/, with the wall of 9,999 records, the errors
// inside HTTP 200 and the limit of 3 (10 with a key) requests per second.
#pragma once

#include "sim/provider.h"
#include "sim/record_book.h"
#include "sim/scroll_store.h"

namespace patra::sim {

class PubmedProvider final : public Provider {
 public:
  explicit PubmedProvider(const World& world);

  std::string_view name() const override { return "pubmed"; }
  void Answer(const Call& call, Response& response) override;
  Caller IdentifyCaller(const Call& call) const override;
  std::vector<LimitRule> DefaultLimits() const override;
  void Reject(const Call& call, const Rejection& rejection, Response& response) const override;
  void ShowLimits(const Call& call, const LimitState& state, Response& response) const override;
  void FailInside(const Call& call, Response& response) const override;
  std::unique_ptr<TruthWalk> Truth(std::string_view variant, Instant from, Instant to,
                                   Instant now) const override;
  std::vector<std::string> Endpoints() const override;

  static std::string PmidOf(std::int64_t item);
  static std::string DoiOf(std::int64_t item);

  // The day that efetch shows. It is mostly, but not always, the day by which mdat selects.
  static Instant RevisedOf(const Entry& entry);

 private:
  RecordShape Shape(const Call& call) const;
  struct Selection {
    Instant from;
    Instant to;
    View::Order order = View::Order::kByBirth;
    bool nothing = false;
    std::string unknown_phrase;
  };
  // A set on the history server: a search, or ids that were posted.
  struct HistorySet {
    Selection selection;
    Instant world_now;
    std::vector<std::int64_t> posted;
    bool is_post = false;
  };
  struct Search;
  struct Fetched {  // what efetch and esummary are asked for
    std::vector<Entry> entries;
    std::vector<std::string> unknown;  // ids without a record
  };

  void AnswerSearch(const Call& call, const Parameters& parameters, Response& response);
  void AnswerPost(const Call& call, const Parameters& parameters, Response& response);
  void AnswerFetch(const Call& call, const Parameters& parameters, Response& response);
  void AnswerSummary(const Call& call, const Parameters& parameters, Response& response);
  void AnswerInfo(const Call& call, const Parameters& parameters, Response& response) const;
  Result<Fetched> Fetch(const Call& call, const Parameters& parameters);
  Result<Fetched> FetchFromHistory(const Call& call, const Parameters& parameters);
  void Fill(const Entry& entry, HoleValues& values) const;

  const World& world_;
  RecordBook articles_;
  RecordBook summaries_xml_;
  RecordBook summaries_json_;
  RecordBook canonical_;
  ScrollStore<std::vector<HistorySet>> history_;  // one WebEnv holds sets 1, 2, …
};

}  // namespace patra::sim
