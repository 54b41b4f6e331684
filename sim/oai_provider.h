// OAI-PMH 2.0 with all six verbs over oai_dc. One world, several repositories that differ as real
// ones do:
//
//   /oai/standard  seconds; token with attributes and expirationDate; the last token is empty
//   /oai/day       days; token remembers the day and how many of it were shown (arXiv)
//   /oai/bare      token without attributes, percent-escaped; none on the last page (PMC)
//   /oai/trailing  one token too many: its use answers noRecordsMatch (MLA)
//   /oai/clamped   until is silently moved 30 days back; cursor counts what was delivered (DOAJ)
#pragma once

#include "sim/provider.h"
#include "sim/record_book.h"

namespace patra::sim {

struct OaiRepository;

class OaiProvider final : public Provider {
 public:
  explicit OaiProvider(const World& world);

  std::string_view name() const override { return "oai"; }
  void Answer(const Call& call, Response& response) override;
  Caller IdentifyCaller(const Call& call) const override;
  std::vector<LimitRule> DefaultLimits() const override;
  void Reject(const Call& call, const Rejection& rejection, Response& response) const override;
  void FailInside(const Call& call, Response& response) const override;
  std::unique_ptr<TruthWalk> Truth(std::string_view variant, Instant from, Instant to,
                                   Instant now) const override;
  std::vector<std::string> Endpoints() const override;

  static std::string IdentifierOf(std::int64_t item);

  // {"title", "creators": […], "subjects": […], "date"}
  static Value MappedFields(const Work& work, std::string_view serial);

 private:
  RecordShape Shape(const Call& call) const;
  struct Listing;  // what a list request or its token asks for
  struct Reply;    // an answer under construction

  void ListThings(Reply& reply, bool with_records) const;
  void AnswerIdentify(Reply& reply) const;
  void AnswerFormats(Reply& reply) const;
  void AnswerSets(Reply& reply) const;
  void AnswerRecord(Reply& reply) const;
  std::expected<Listing, std::pair<std::string, std::string>> ReadListing(const Reply& reply) const;
  std::string PrintToken(const Reply& reply, const Listing& listing, std::int64_t offset,
                         const std::vector<Entry>& shown) const;
  void AppendHeader(const OaiRepository& repository, const Entry& entry, std::string& out) const;
  void AppendRecord(const OaiRepository& repository, const Entry& entry, HoleValues& values,
                    std::string& out) const;

  const World& world_;
  RecordBook metadata_;
  RecordBook canonical_;
};

}  // namespace patra::sim
