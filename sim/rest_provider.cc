#include "sim/rest_provider.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "sim/paging.h"
#include "sim/text_format.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

constexpr std::int64_t kLimitDefault = 100;
constexpr std::int64_t kLimitMax = 10'000;
constexpr std::int64_t kDetailsMax = 500;
constexpr Duration kScrollLife = std::chrono::minutes(5);
constexpr std::int64_t kOffsetMax = std::int64_t{1} << 40;
// What stands beside the token of `continue`, and has to come back with it.
constexpr std::string_view kContinueMark = "-||";
constexpr std::string_view kTokenHeader = "x-continuation";

std::string Abstract(const Work& work) {
  std::string joined;
  for (const auto& section : work.abstract) {
    if (!joined.empty()) joined += ' ';
    joined += PlainText(section.text);
  }
  return joined;
}

std::string WriteJson(const Work& work) {
  std::string record = fmt::format(R"({{"id":"{}","updated":"{}","created":"{}","title":{},)",
                                   Mark(Hole::kId), Mark(Hole::kUpdated), Mark(Hole::kCreated),
                                   JsonText(PlainText(work.title) + " " + Mark(Hole::kSerial)));
  record += R"("authors":[)";
  for (std::size_t i = 0; i < work.authors.size(); ++i) {
    if (i > 0) record += ',';
    record += JsonText(work.authors[i].FullName());
  }
  record += fmt::format(R"(],"year":{},"kind":"{}","publisher":{},)", work.year, work.kind,
                        JsonText(work.publisher));
  if (const auto text = Abstract(work); !text.empty()) {
    record += fmt::format(R"("abstract":{},)", JsonText(text));
  }
  record += fmt::format(R"("links":{{"self":"/rest/items/{}"}},"open":{}}})", Mark(Hole::kId),
                        work.year % 2 == 0);
  return record;
}

std::string WriteXml(const Work& work) {
  std::string record = fmt::format(
      "<item><id>{}</id><updated>{}</updated><created>{}</created><title>{} {}</title><authors>",
      Mark(Hole::kId), Mark(Hole::kUpdated), Mark(Hole::kCreated), XmlText(PlainText(work.title)),
      Mark(Hole::kSerial));
  for (const auto& author : work.authors) {
    record += fmt::format("<author>{}</author>", XmlText(author.FullName()));
  }
  record += fmt::format("</authors><year>{}</year><kind>{}</kind>", work.year, work.kind);
  if (const auto text = Abstract(work); !text.empty()) {
    record += fmt::format("<abstract>{}</abstract>", XmlText(text));
  }
  record += "</item>\n";
  return record;
}

std::optional<std::int64_t> ItemOfRestId(std::string_view id) {
  if (!id.starts_with("rest-") || id.size() != 14) return std::nullopt;
  return ParseInteger(id.substr(5));
}

void Refuse(Response& response, int status, std::string_view code, std::string_view message) {
  response.status = status;
  response.content_type = "application/json";
  response.body = fmt::format(R"({{"error":{},"message":{}}})", JsonText(code), JsonText(message));
}

// Nothing if the text is no number or too small; larger ones count as `max`.
std::optional<std::int64_t> ReadNumber(const Parameters& parameters, std::string_view name,
                                       std::int64_t otherwise, std::int64_t min, std::int64_t max) {
  const auto* text = parameters.Find(name);
  if (!text) return otherwise;
  const auto number = ParseInteger(*text);
  if (!number || *number < min) return std::nullopt;
  return std::min(*number, max);
}

bool WantsXml(const Parameters& parameters) { return parameters.Get("format") == "xml"; }

// Splits "a,b,c".
std::vector<std::string> SplitByComma(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return parts;
}

// The request's own query with one parameter set.
std::string QueryWith(const Parameters& parameters, std::string_view name, std::string_view value) {
  std::string query;
  for (const auto& [other, text] : parameters.all()) {
    if (other == name) continue;
    query += fmt::format("{}={}&", PercentEncode(other), PercentEncode(text));
  }
  return query + fmt::format("{}={}", name, PercentEncode(value));
}

std::string TotalOf(const Call& call, const Page& page) {
  return call.troubles.drop_total ? "null" : std::to_string(page.total);
}

}  // namespace

struct RestProvider::Listing {
  Instant from;
  Instant to;
  std::int64_t limit = kLimitDefault;
  bool xml = false;
  bool newest_first = false;
  View::Deletions deletions = View::Deletions::kHidden;
  std::string window_query;  // identifies the window, so that a token cannot be used for another
};

struct RestProvider::Position {
  std::int64_t offset = 0;
  std::int64_t page_number = 1;
};

struct RestProvider::Refusal {
  int status = 400;
  std::string code = "bad_request";
  std::string message;
};

std::string RestProvider::IdOf(std::int64_t item) { return fmt::format("rest-{:09}", item); }

Value RestProvider::MappedFields(const Work& work, std::string_view serial) {
  Value::Array authors;
  for (const auto& author : work.authors) authors.emplace_back(author.FullName());
  return WithoutEmpty({{"title", fmt::format("{} {}", PlainText(work.title), serial)},
                       {"authors", std::move(authors)},
                       {"year", work.year},
                       {"kind", work.kind},
                       {"abstract", Abstract(work)}});
}

Value RestProvider::MappedUsage(const Entry& entry, Instant now) {
  const std::int64_t days = (now - entry.created) / std::chrono::days(1);
  const auto views = 3 * std::max<std::int64_t>(days, 0) + entry.item % 97;
  return Value::Object{{"views", views}, {"downloads", views / 4}};
}

RestProvider::RestProvider(const World& world)
    : world_(world),
      json_(world.works, RecordBook::WriteRecord(WriteJson)),
      xml_(world.works, RecordBook::WriteRecord(WriteXml)),
      canonical_(world.works, RecordBook::MapFields([](const Work& work) {
                   return MappedFields(work, Mark(Hole::kSerial));
                 })),
      scrolls_(world.corpus.seed(), kScrollLife) {}

Caller RestProvider::IdentifyCaller(const Call& call) const {
  Caller caller;
  caller.address = call.request.peer;
  const auto* key = call.request.Header("x-api-key");
  if (!key) key = call.request.Header("authorization");
  caller.key = key ? *key : caller.address;
  caller.endpoint = call.path;
  return caller;
}

void RestProvider::Reject(const Call&, const Rejection& rejection, Response& response) const {
  Refuse(
      response, 429, "too_many_requests",
      fmt::format("{} requests where {} are allowed", rejection.count, rejection.rule.count_max));
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(rejection.retry_after).count();
  response.SetHeader("retry-after", std::to_string(std::max<std::int64_t>(1, seconds)));
}

void RestProvider::ShowLimits(const Call&, const LimitState& state, Response& response) const {
  if (!state.rule) return;
  response.SetHeader("ratelimit-limit", std::to_string(state.rule->count_max));
  response.SetHeader("ratelimit-remaining", std::to_string(state.remaining));
}

void RestProvider::FailInside(const Call& call, Response& response) const {
  if (WantsXml(call.request.parameters)) {
    response.content_type = "application/xml";
    response.body = "<error><code>backend_failed</code><message>Try again</message></error>";
    return;
  }
  response.content_type = "application/json";
  response.body = R"({"error":"backend_failed","message":"Try again"})";
}

RecordShape RestProvider::Shape(const Call& call) const {
  const bool xml = WantsXml(call.request.parameters);
  return {.format = xml ? RecordShape::Format::kXml : RecordShape::Format::kJson,
          .id = "id",
          .date = "updated",
          .required = "title",
          .number = "year"};
}

std::unique_ptr<TruthWalk> RestProvider::Truth(std::string_view variant, Instant from, Instant to,
                                               Instant now) const {
  if (variant == "usage") {
    return std::make_unique<CorpusTruth>(
        world_.corpus, from, to, now, View::Deletions::kListed, true, [now](const Entry& entry) {
          return TruthEntry{.id = IdOf(entry.item),
                            .version = entry.version,
                            .updated = entry.updated,
                            .hash = Sha256Hex(CanonicalJson(MappedUsage(entry, now))),
                            .deleted = entry.deleted};
        });
  }
  if (!variant.empty() && variant != "deleted") return nullptr;
  const bool silent = variant.empty();
  return std::make_unique<CorpusTruth>(
      world_.corpus, from, to, now, View::Deletions::kListed, silent, [this](const Entry& entry) {
        HoleValues values;
        values[Hole::kSerial] = SerialOf(entry);
        std::string canonical;
        canonical_.AppendTo(canonical, entry.item, values);
        return TruthEntry{.id = IdOf(entry.item),
                          .version = entry.version,
                          .updated = entry.updated,
                          .hash = canonical_.HashOf(entry.item, values),
                          .deleted = entry.deleted};
      });
}

std::vector<std::string> RestProvider::Endpoints() const {
  return {"GET /rest/page/items?page=1&size=100&from=&to=",
          "GET /rest/offset/items?offset=0&limit=100",
          "GET /rest/token/items?limit=100",
          "GET /rest/continue/items?limit=100",
          "GET /rest/header/items?limit=100",
          "GET /rest/scroll/items?limit=100",
          "GET /rest/url/items?limit=100",
          "GET /rest/time/items?since=&limit=100",
          "GET /rest/ids?offset=0&limit=100",
          "GET /rest/details?ids=a,b",
          "GET /rest/items/{id}",
          "GET /rest/usage?offset=0&limit=100",
          "GET /rest/key/items?after=&limit=100&callback="};
}

void RestProvider::Answer(const Call& call, Response& response) {
  static constexpr auto kStyles = std::to_array<std::string_view>(
      {"page", "offset", "token", "continue", "header", "scroll", "url", "time", "key"});
  if (call.request.method != "GET" && call.request.method != "HEAD") {
    return Refuse(response, 405, "method_not_allowed", "This API is read-only");
  }
  const std::string_view path = call.path;
  if (path.starts_with("/items/")) return AnswerItem(call, path.substr(7), response);
  if (path == "/details") return AnswerDetails(call, response);
  if (path == "/ids") return AnswerList(call, "ids", response);
  if (path == "/usage") return AnswerList(call, "usage", response);
  for (const auto style : kStyles) {
    if (path == fmt::format("/{}/items", style)) return AnswerList(call, style, response);
  }
  Refuse(response, 404, "not_found", "No such resource");
}

std::expected<RestProvider::Listing, RestProvider::Refusal> RestProvider::ReadListing(
    const Call& call) const {
  const auto& parameters = call.request.parameters;
  Listing listing;
  listing.from = kWindowMin;
  listing.to = kWindowMax;
  listing.xml = WantsXml(parameters);
  listing.newest_first = parameters.Get("order") == "newest";
  if (parameters.Get("deleted") == "include") listing.deletions = View::Deletions::kListed;
  const auto size_name = parameters.Has("size") ? "size" : "limit";
  const auto limit = ReadNumber(parameters, size_name, kLimitDefault, 1, kLimitMax);
  if (!limit) {
    return std::unexpected(Refusal{.message = fmt::format("{} must be at least 1", size_name)});
  }
  listing.limit = *limit;
  for (const std::string_view name : {"from", "since", "to", "until"}) {
    const auto* text = parameters.Find(name);
    if (!text || text->empty()) continue;
    const auto period = ParsePeriod(*text);
    if (!period) {
      return std::unexpected(Refusal{.message = fmt::format("{} is no date", name)});
    }
    if (name == "from" || name == "since") listing.from = std::max(listing.from, period->first);
    if (name == "to") listing.to = std::min(listing.to, period->first);
    if (name == "until") listing.to = std::min(listing.to, period->after);
  }
  if (call.troubles.ignore_filter) {
    listing.from = kWindowMin;
    listing.to = kWindowMax;
  }
  listing.window_query = fmt::format("{:x}.{:x}.{}.{}", listing.from.time_since_epoch().count(),
                                     listing.to.time_since_epoch().count(), listing.newest_first,
                                     listing.deletions == View::Deletions::kListed);
  return listing;
}

std::expected<RestProvider::Position, RestProvider::Refusal> RestProvider::ReadPosition(
    const Call& call, std::string_view style, const Listing& listing, const View& view) {
  const auto& parameters = call.request.parameters;
  if (style == "page") {
    const auto number = ReadNumber(parameters, "page", 1, 1, kOffsetMax);
    if (!number) return std::unexpected(Refusal{.message = "page must be at least 1"});
    return Position{(*number - 1) * listing.limit, *number};
  }
  if (style == "token" || style == "continue" || style == "header")
    return ReadToken(call, style, listing);
  if (const auto* id = parameters.Find("scroll"); style == "scroll" && id) {
    const auto scroll = scrolls_.Take(*id, call.server_time);
    if (!scroll || scroll->window_query != listing.window_query) {
      return std::unexpected(Refusal{410, "scroll_gone", "The scroll was used or has expired"});
    }
    return Position{scroll->offset};
  }
  const auto* after = parameters.Find("after");
  if (after != nullptr && (style == "time" || style == "key")) {
    // The tie-breaker: everything up to and including that item was seen.
    const auto item = ItemOfRestId(*after);
    const auto entry = item ? view.Find(*item) : std::nullopt;
    if (!entry) return std::unexpected(Refusal{.message = "after names no item"});
    const auto ties = view.Between(entry->updated, entry->updated + std::chrono::seconds(1));
    std::vector<Entry> entries;
    view.Collect(ties, entries);
    const auto found = std::ranges::find(entries, *item, &Entry::item);
    const auto first = view.Between(listing.from, listing.to).first;
    return Position{ties.first + (found - entries.begin()) + 1 - first};
  }
  const auto number = ReadNumber(parameters, "offset", 0, 0, kOffsetMax);
  if (!number) return std::unexpected(Refusal{.message = "offset must be at least 0"});
  return Position{*number};
}

// The token that came with the request, whatever part of it; without one it is the first page.
std::expected<RestProvider::Position, RestProvider::Refusal> RestProvider::ReadToken(
    const Call& call, std::string_view style, const Listing& listing) const {
  const auto& parameters = call.request.parameters;
  const auto* token = style == "header"     ? call.request.Header(kTokenHeader)
                      : style == "continue" ? parameters.Find("itcontinue")
                                            : parameters.Find("token");
  const bool is_marked = parameters.Get("continue") == kContinueMark;
  if (style == "continue" && is_marked != (token != nullptr)) {
    return std::unexpected(
        Refusal{.code = "badcontinue", .message = "all members of continue belong together"});
  }
  if (token == nullptr) return Position{};
  const auto dash = token->find('-');
  const auto number = ParseInteger(std::string_view(*token).substr(0, dash));
  const bool known = number && *number >= 0 && dash != std::string::npos &&
                     token->substr(dash + 1) == listing.window_query;
  if (!known) {
    return std::unexpected(Refusal{400, "invalid_token", "The token is invalid or expired"});
  }
  return Position{std::min(*number, kOffsetMax)};
}

// What the client sends to go on; empty for styles in which it counts by itself.
std::string RestProvider::NextState(const Call& call, std::string_view style,
                                    const Listing& listing, const Position& position,
                                    std::int64_t next_offset) {
  const auto& parameters = call.request.parameters;
  const auto& troubles = call.troubles;
  if (style == "token" || style == "continue" || style == "header") {
    if (troubles.dead_token) return "0-dead";
    const auto next = fmt::format("{}-{}", next_offset, listing.window_query);
    if (!troubles.repeat_token) return next;
    const auto* sent = call.request.Header(kTokenHeader);
    if (style == "header") return sent != nullptr ? *sent : next;
    return parameters.Get(style == "token" ? "token" : "itcontinue", next);
  }
  if (style == "scroll") {
    if (troubles.dead_token) return "dead";
    const auto next = scrolls_.Open({next_offset, listing.window_query}, call.server_time);
    return troubles.repeat_token ? parameters.Get("scroll", next) : next;
  }
  if (style != "url") return {};
  const auto base = troubles.foreign_next.empty() ? call.base_url : troubles.foreign_next + "/rest";
  if (troubles.repeat_token) next_offset = position.offset;
  const auto offset = troubles.dead_token ? "gone" : std::to_string(next_offset);
  return fmt::format("{}/url/items?{}", base, QueryWith(parameters, "offset", offset));
}

void RestProvider::AnswerList(const Call& call, std::string_view style, Response& response) {
  const auto refuse = [&](const Refusal& refusal) {
    Refuse(response, refusal.status, refusal.code, refusal.message);
  };
  if (style == "key" && call.request.query.find("%3A") != std::string::npos)
    return refuse({.message = "colons are written as they are"});
  const auto listing = ReadListing(call);
  if (!listing) return refuse(listing.error());
  const View view(world_.corpus, call.world_now, View::Order::kByUpdate, listing->deletions);
  const auto position = ReadPosition(call, style, *listing, view);
  if (!position) return refuse(position.error());

  auto page = CutPage(view, view.Between(listing->from, listing->to), position->offset,
                      listing->limit, listing->newest_first, call.troubles);
  if (call.troubles.drop_next) page.more = false;
  const auto next =
      page.more ? NextState(call, style, *listing, *position, page.next_offset) : std::string();
  if (style == "url" && !next.empty()) {
    response.SetHeader("link", fmt::format("<{}>; rel=\"next\"", next));
  }
  if (style == "header" && !next.empty()) response.SetHeader(std::string(kTokenHeader), next);
  if (style == "ids") return PrintIds(call, page, response);
  if (style == "usage") return PrintUsage(call, page, response);
  if (listing->xml) return PrintXml(call, style, *position, page, next, response);
  PrintJson(call, style, *listing, *position, page, next, response);
  if (style == "key") WrapInCallback(call, response);
}

void RestProvider::WrapInCallback(const Call& call, Response& response) {
  response.content_type = "application/javascript; charset=utf-8";
  response.body = fmt::format("/**/{}({});", call.request.parameters.Get("callback", "callback"),
                              response.body);
}

void RestProvider::PrintIds(const Call& call, const Page& page, Response& response) const {
  const auto out = std::back_inserter(response.body);
  fmt::format_to(out, R"({{"total":{},"ids":[)", TotalOf(call, page));
  for (std::size_t i = 0; i < page.entries.size(); ++i) {
    fmt::format_to(out, R"({}"{}")", i == 0 ? "" : ",", IdOf(page.entries[i].item));
  }
  response.body += "]}";
}

void RestProvider::PrintUsage(const Call& call, const Page& page, Response& response) const {
  Value::Array usage;
  for (const auto& entry : page.entries) {
    auto counts = MappedUsage(entry, call.world_now);
    counts.AsObject()->emplace("item", IdOf(entry.item));
    usage.push_back(std::move(counts));
  }
  response.body =
      fmt::format(R"({{"total":{},"usage":{}}})", TotalOf(call, page), CanonicalJson(usage));
}

void RestProvider::PrintXml(const Call& call, std::string_view style, const Position& position,
                            const Page& page, const std::string& next, Response& response) const {
  auto& body = response.body;
  const auto out = std::back_inserter(body);
  response.content_type = "application/xml; charset=utf-8";
  fmt::format_to(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<items total=\"{}\"",
                 page.total);
  if (style == "page") fmt::format_to(out, " page=\"{}\"", position.page_number);
  if (style == "offset") fmt::format_to(out, " offset=\"{}\"", position.offset);
  if (!next.empty()) {
    fmt::format_to(out, " {}=\"{}\"", style == "scroll" ? "scroll" : "next", XmlText(next));
  }
  body += ">\n";
  HoleValues values;
  AppendRecords(page.entries, "", call.troubles, Shape(call), body,
                [&](const Entry& entry) { AppendRecord(entry, true, values, body); });
  body += "</items>\n";
}

void RestProvider::PrintJson(const Call& call, std::string_view style, const Listing& listing,
                             const Position& position, const Page& page, const std::string& next,
                             Response& response) const {
  auto& body = response.body;
  const auto out = std::back_inserter(body);
  if (call.request.parameters.Get("total") != "header") {
    fmt::format_to(out, R"({{"total":{},)", TotalOf(call, page));
  } else {
    body += '{';
    if (!call.troubles.drop_total) response.SetHeader("x-total-count", std::to_string(page.total));
  }
  if (style == "page") {
    fmt::format_to(out, R"("page":{},"size":{},)", position.page_number, listing.limit);
  }
  if (style == "offset") {
    fmt::format_to(out, R"("offset":{},"limit":{},)", position.offset, listing.limit);
  }
  body += R"("items":[)";
  HoleValues values;
  AppendRecords(page.entries, ",", call.troubles, Shape(call), body,
                [&](const Entry& entry) { AppendRecord(entry, false, values, body); });
  body += ']';
  if (style == "token" || style == "url" || style == "scroll") {
    fmt::format_to(out, R"(,"{}":{})", style == "scroll" ? "scroll" : "next",
                   next.empty() ? "null" : JsonText(next));
  } else if (style == "continue" && !next.empty()) {
    fmt::format_to(out, R"(,"continue":{{"itcontinue":{},"continue":"{}"}})", JsonText(next),
                   kContinueMark);
  } else if (style == "time" && !page.entries.empty()) {
    const auto& last = page.entries.back();
    fmt::format_to(out, R"(,"more":{},"next_since":"{}","next_after":"{}")", page.more,
                   PrintSeconds(last.updated), IdOf(last.item));
  }
  body += '}';
}

void RestProvider::AppendRecord(const Entry& entry, bool xml, HoleValues& values,
                                std::string& out) const {
  values[Hole::kId] = IdOf(entry.item);
  values[Hole::kUpdated] = PrintSeconds(entry.updated);
  if (entry.deleted) {
    const auto merged = entry.merged_into >= 0 ? IdOf(entry.merged_into) : std::string();
    if (xml) {
      fmt::format_to(std::back_inserter(out),
                     "<item deleted=\"true\"><id>{}</id><updated>{}</updated></item>\n",
                     values[Hole::kId], values[Hole::kUpdated]);
    } else {
      fmt::format_to(std::back_inserter(out), R"({{"id":"{}","updated":"{}","deleted":true{}}})",
                     values[Hole::kId], values[Hole::kUpdated],
                     merged.empty() ? "" : fmt::format(R"(,"mergedInto":"{}")", merged));
    }
    return;
  }
  values[Hole::kCreated] = PrintSeconds(entry.created);
  values[Hole::kSerial] = SerialOf(entry);
  (xml ? xml_ : json_).AppendTo(out, entry.item, values);
}

void RestProvider::AnswerItem(const Call& call, std::string_view id, Response& response) const {
  const View view(world_.corpus, call.world_now, View::Order::kByUpdate, View::Deletions::kListed);
  const auto item = ItemOfRestId(id);
  const auto entry = item ? view.Find(*item) : std::nullopt;
  if (!entry) return Refuse(response, 404, "not_found", "No such item");
  if (entry->deleted) return Refuse(response, 410, "gone", "This item was deleted");
  const bool xml = WantsXml(call.request.parameters);
  if (xml) response.content_type = "application/xml; charset=utf-8";
  HoleValues values;
  AppendRecord(*entry, xml, values, response.body);
  Spoil(response.body, 0, Shape(call), call.troubles.defect);
}

void RestProvider::AnswerDetails(const Call& call, Response& response) const {
  const auto ids = SplitByComma(call.request.parameters.Get("ids"));
  if (ids.empty() || ids.size() > kDetailsMax) {
    return Refuse(response, 400, "bad_request", fmt::format("ids: 1 to {}", kDetailsMax));
  }
  const View view(world_.corpus, call.world_now, View::Order::kByUpdate, View::Deletions::kHidden);
  HoleValues values;
  response.body = R"({"items":[)";
  bool first = true;
  for (const auto& id : ids) {
    const auto item = ItemOfRestId(id);
    const auto entry = item ? view.Find(*item) : std::nullopt;
    if (!entry) continue;  // unknown ids are left out without a word
    if (!first) response.body += ',';
    first = false;
    AppendRecord(*entry, false, values, response.body);
  }
  response.body += "]}";
}

}  // namespace patra::sim
