// A generic REST source in every pagination style, as JSON or XML.
//
//   GET /rest/page/items?page=1&size=100      pages counted from 1
//   GET /rest/offset/items?offset=0&limit=100
//   GET /rest/token/items?token=…&limit=100   a token that may be sent again
//   GET /rest/continue/items?itcontinue=…&continue=-||  all members of the answer's `continue` go into the next request
//   GET /rest/header/items?limit=100          a token in the header X-Continuation, of answers and requests
//   GET /rest/scroll/items?scroll=…&limit=100 a token that works once and dies after five minutes
//   GET /rest/url/items?limit=100             the next URL in the body and in a Link header
//   GET /rest/time/items?since=…&after=…      the next request starts at the last item's time
//   GET /rest/ids, GET /rest/details?ids=…    two phases
//   GET /rest/items/{id}
//   GET /rest/usage?offset=0&limit=100        how often each item was seen, until today
//   GET /rest/key/items?after=…&callback=f    JSONP; the next request names the last item; no escaped colons
//
// All lists take from= and to= ([from, to)) or until= (inclusive), deleted=include for tombstones,
// order=newest, and format=xml; total=header moves the total of JSON into X-Total-Count.
#pragma once

#include <expected>

#include "sim/paging.h"
#include "sim/provider.h"
#include "sim/record_book.h"
#include "sim/scroll_store.h"

namespace patra::sim {

class RestProvider final : public Provider {
 public:
  explicit RestProvider(const World& world);

  std::string_view name() const override { return "rest"; }
  void Answer(const Call& call, Response& response) override;
  Caller IdentifyCaller(const Call& call) const override;
  void Reject(const Call& call, const Rejection& rejection, Response& response) const override;
  void ShowLimits(const Call& call, const LimitState& state, Response& response) const override;
  void FailInside(const Call& call, Response& response) const override;
  std::unique_ptr<TruthWalk> Truth(std::string_view variant, Instant from, Instant to,
                                   Instant now) const override;
  std::vector<std::string> Endpoints() const override;

  static std::string IdOf(std::int64_t item);

  // {"title", "authors": [names], "year", "kind", "abstract"}
  static Value MappedFields(const Work& work, std::string_view serial);

  // {"views", "downloads"}, which grow from day to day.
  static Value MappedUsage(const Entry& entry, Instant now);

 private:
  RecordShape Shape(const Call& call) const;
  struct Listing;   // what a list request asks for, whatever its style
  struct Position;  // where in the list it is
  struct Refusal;
  struct Scroll {
    std::int64_t offset = 0;
    std::string window_query;
  };

  std::expected<Position, Refusal> ReadToken(const Call& call, std::string_view style,
                                             const Listing& listing) const;
  static void WrapInCallback(const Call& call, Response& response);
  std::expected<Listing, Refusal> ReadListing(const Call& call) const;
  void AnswerList(const Call& call, std::string_view style, Response& response);
  std::expected<Position, Refusal> ReadPosition(const Call& call, std::string_view style,
                                                const Listing& listing, const View& view);
  std::string NextState(const Call& call, std::string_view style, const Listing& listing,
                        const Position& position, std::int64_t next_offset);
  void PrintIds(const Call& call, const Page& page, Response& response) const;
  void PrintUsage(const Call& call, const Page& page, Response& response) const;
  void PrintXml(const Call& call, std::string_view style, const Position& position,
                const Page& page, const std::string& next, Response& response) const;
  void PrintJson(const Call& call, std::string_view style, const Listing& listing,
                 const Position& position, const Page& page, const std::string& next,
                 Response& response) const;
  void AnswerItem(const Call& call, std::string_view id, Response& response) const;
  void AnswerDetails(const Call& call, Response& response) const;
  void AppendRecord(const Entry& entry, bool xml, HoleValues& values, std::string& out) const;

  const World& world_;
  RecordBook json_;
  RecordBook xml_;
  RecordBook canonical_;
  ScrollStore<Scroll> scrolls_;
};

}  // namespace patra::sim
