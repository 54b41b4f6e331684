// Crossref's REST API: GET /crossref/works with filters, rows, offset, select, sample and the
// cursor that is a server-side scroll (one string for the whole walk; every use moves it on; it
// dies after five minutes), and GET /crossref/works/{doi}. Pools, their headers and their limits as
// of 2026.
#pragma once

#include "sim/paging.h"
#include "sim/provider.h"
#include "sim/record_book.h"
#include "sim/scroll_store.h"

namespace patra::sim {

class CrossrefProvider final : public Provider {
 public:
  explicit CrossrefProvider(const World& world);

  std::string_view name() const override { return "crossref"; }
  void Answer(const Call& call, Response& response) override;
  Caller IdentifyCaller(const Call& call) const override;
  std::vector<LimitRule> DefaultLimits() const override;
  void Reject(const Call& call, const Rejection& rejection, Response& response) const override;
  void ShowLimits(const Call& call, const LimitState& state, Response& response) const override;
  void FailInside(const Call& call, Response& response) const override;
  std::unique_ptr<TruthWalk> Truth(std::string_view variant, Instant from, Instant to,
                                   Instant now) const override;
  std::vector<std::string> Endpoints() const override;

 private:
  RecordShape Shape(const Call& call) const;
  struct Selection {  // which works, in which order
    Instant from;
    Instant to;
    View::Order order = View::Order::kByUpdate;
    bool newest_first = false;
    bool nothing = false;  // a query without hits
    bool by_doi = false;   // only these
    std::vector<std::int64_t> items;
  };
  struct Query {  // one list request
    Selection selection;
    std::int64_t rows = 20;
    std::int64_t offset = 0;
    std::int64_t sample = 0;
    std::string cursor;
    std::vector<std::string> select;
    std::string terms;
  };
  struct Scroll {
    Selection selection;
    Instant world_now;
    std::int64_t offset = 0;
  };
  struct Complaint {
    std::string type;
    std::string value;
    std::string message;
  };

  static std::expected<Query, Complaint> ReadQuery(const Parameters& parameters);
  static std::optional<Complaint> ReadFilters(std::string_view text, Selection& selection);
  Page PickPage(const Scroll& scroll, std::int64_t rows, const PageTroubles& troubles) const;
  void AnswerList(const Call& call, Response& response);
  void AnswerWork(const Call& call, std::string_view doi, Response& response) const;
  void AppendWork(const Entry& entry, HoleValues& values, std::string& out) const;

  const World& world_;
  RecordBook works_;
  RecordBook canonical_;
  ScrollStore<Scroll> scrolls_;
};

}  // namespace patra::sim
