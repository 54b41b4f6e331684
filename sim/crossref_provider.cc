#include "sim/crossref_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/crossref_record.h"
#include "sim/json_members.h"
#include "sim/paging.h"
#include "sim/text_format.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

constexpr std::int64_t kRowsMax = 1'000;
constexpr std::int64_t kOffsetMax = 10'000;
constexpr std::int64_t kSampleMax = 100;
constexpr Duration kScrollLife = std::chrono::minutes(5);

// A query that finds nothing, so that clients can see an empty result.
constexpr std::string_view kUnknownWord = "nosuchword";

// Every scroll handle of Elasticsearch starts like this.
constexpr std::string_view kCursorStart = "DnF1ZXJ5VGhlbkZldGNoBgAAAAA";

std::string PartsText(Instant instant) {
  const auto parts = PartsOf(instant);
  return fmt::format("{},{},{}", parts.year, parts.month, parts.day);
}

void Complain(Response& response, int status, std::string_view message_type, std::string_view type,
              std::string_view value, std::string_view message) {
  response.status = status;
  response.content_type = status == 400 ? "application/json;charset=utf-8" : "application/json";
  response.body = fmt::format(
      R"({{"status":"failed","message-type":"{}","message":[{{"type":"{}","value":{},"message":{}}}]}})",
      message_type, type, JsonText(value), JsonText(message));
}

constexpr auto kParameters =
    std::to_array<std::string_view>({"query", "filter", "rows", "offset", "cursor", "sort", "order",
                                     "select", "facet", "sample", "mailto"});

// What a date filter counts. The index, update and deposit times of a simulated work are one.
struct DateFilter {
  std::string_view name;
  View::Order order;
};
constexpr auto kDateFilters = std::to_array<DateFilter>({
    {"index-date", View::Order::kByUpdate},
    {"update-date", View::Order::kByUpdate},
    {"deposit-date", View::Order::kByUpdate},
    {"created-date", View::Order::kByBirth},
});

}  // namespace

CrossrefProvider::CrossrefProvider(const World& world)
    : world_(world),
      works_(world.works, RecordBook::WriteRecord(WriteCrossrefWork)),
      canonical_(world.works, RecordBook::MapFields([](const Work& work) {
                   return CrossrefFields(work, Mark(Hole::kSerial));
                 })),
      scrolls_(world.corpus.seed(), kScrollLife) {}

Caller CrossrefProvider::IdentifyCaller(const Call& call) const {
  Caller caller;
  caller.address = call.request.peer;
  caller.endpoint = call.path.starts_with("/works/") ? "/works/{doi}" : call.path;
  const auto* agent = call.request.Header("user-agent");
  if (const auto* token = call.request.Header("crossref-plus-api-token")) {
    caller.pool = "plus";
    caller.key = "plus " + *token;
  } else if (call.request.parameters.Has("mailto") ||
             (agent && agent->find("mailto:") != std::string::npos)) {
    caller.pool = "polite";
    caller.key = "polite " + caller.address;
  } else {
    caller.pool = "public";
    caller.key = "public " + caller.address;
  }
  return caller;
}

std::vector<LimitRule> CrossrefProvider::DefaultLimits() const {
  const auto per_second = [](std::string pool, std::int64_t count) {
    return LimitRule{.pool = std::move(pool), .count_max = count};
  };
  const auto at_once = [](std::string pool, std::int64_t count) {
    return LimitRule{
        .kind = LimitRule::Kind::kConcurrency, .pool = std::move(pool), .count_max = count};
  };
  return {per_second("public", 5), at_once("public", 1), per_second("polite", 10),
          at_once("polite", 3), per_second("plus", 150)};
}

void CrossrefProvider::Reject(const Call&, const Rejection&, Response& response) const {
  response.status = 429;
  response.content_type = "text/html";
  response.SetHeader("cache-control", "no-cache");
  response.delivery.end = Delivery::End::kClose;
  response.body =
      "<html><body><h1>429 Too Many Requests</h1>\n"
      "You have sent too many requests in a given amount of time.\n</body></html>\n";
}

void CrossrefProvider::ShowLimits(const Call& call, const LimitState& state,
                                  Response& response) const {
  response.SetHeader("x-api-pool", IdentifyCaller(call).pool);
  if (state.rule) {
    response.SetHeader("x-rate-limit-limit", std::to_string(state.rule->count_max));
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(state.rule->window).count();
    response.SetHeader("x-rate-limit-interval", fmt::format("{}s", seconds));
  }
  if (state.concurrency) {
    response.SetHeader("x-concurrency-limit", std::to_string(state.concurrency->count_max));
  }
}

void CrossrefProvider::FailInside(const Call&, Response& response) const {
  response.content_type = "application/json";
  response.body =
      R"({"status":"error","message-type":"exception","message-version":"1.0.0","message":{"name":"class java.lang.RuntimeException","description":"java.lang.RuntimeException: search phase failed","message":"search phase failed"}})";
}

RecordShape CrossrefProvider::Shape(const Call&) const {
  return {.format = RecordShape::Format::kJson,
          .id = "DOI",
          .date = "indexed/date-time",
          .required = "title",
          .number = "reference-count"};
}

std::unique_ptr<TruthWalk> CrossrefProvider::Truth(std::string_view variant, Instant from,
                                                   Instant to, Instant now) const {
  if (!variant.empty()) return nullptr;
  return std::make_unique<CorpusTruth>(
      world_.corpus, from, to, now, View::Deletions::kIgnored, false, [this](const Entry& entry) {
        HoleValues values;
        values[Hole::kSerial] = SerialOf(entry);
        std::string canonical;
        canonical_.AppendTo(canonical, entry.item, values);
        return TruthEntry{.id = CrossrefDoi(entry.item),
                          .version = entry.version,
                          .updated = entry.updated,
                          .hash = canonical_.HashOf(entry.item, values)};
      });
}

std::vector<std::string> CrossrefProvider::Endpoints() const {
  return {
      "GET "
      "/crossref/"
      "works?filter=from-index-date:2025-12-01,until-index-date:2025-12-31&rows=100&cursor=*",
      "GET /crossref/works?filter=doi:10.5555/sim.4,doi:10.5555/sim.5",
      "GET /crossref/works/{doi}"};
}

void CrossrefProvider::Answer(const Call& call, Response& response) {
  response.headers = {{"server", "Jetty(9.4.40.v20210413)"},
                      {"access-control-allow-origin", "*"},
                      {"access-control-expose-headers", "Link"},
                      {"access-control-allow-headers",
                       "X-Requested-With, Accept, Accept-Encoding, Accept-Charset, "
                       "Accept-Language, Accept-Ranges, Cache-Control"},
                      {"permissions-policy", "interest-cohort=()"},
                      {"vary", "Accept-Encoding"}};
  response.delivery.framing = Delivery::Framing::kChunked;
  std::string_view path = call.path;
  if (path.starts_with("/v1/")) path.remove_prefix(3);
  if (path == "/works") return AnswerList(call, response);
  if (path.starts_with("/works/")) return AnswerWork(call, path.substr(7), response);
  response.status = 404;
  response.content_type = "text/plain";
  response.body = "Resource not found.";
}

std::optional<CrossrefProvider::Complaint> CrossrefProvider::ReadFilters(std::string_view text,
                                                                         Selection& selection) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto pair = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const auto colon = pair.find(':');
    const auto name = pair.substr(0, colon);
    const auto value = colon == std::string_view::npos ? "" : pair.substr(colon + 1);
    if (name == "doi") {
      selection.by_doi = true;
      if (const auto item = ItemOfCrossrefDoi(value)) selection.items.push_back(*item);
      continue;
    }
    const bool is_from = name.starts_with("from-");
    const bool is_until = name.starts_with("until-");
    const auto dated = name.substr(is_from ? 5 : is_until ? 6 : 0);
    const auto known = std::ranges::find(kDateFilters, dated, &DateFilter::name);
    if (!(is_from || is_until) || known == kDateFilters.end()) {
      return Complaint{"filter-not-available", std::string(name),
                       fmt::format("Filter '{}' specified but there is no such filter for this "
                                   "route. Valid filters for this route are: from-index-date, "
                                   "until-index-date, from-update-date, until-update-date, "
                                   "from-deposit-date, until-deposit-date, from-created-date, "
                                   "until-created-date, doi",
                                   name)};
    }
    const auto period = ParsePeriod(value);
    if (!period) {
      return Complaint{"date-not-valid", std::string(value),
                       fmt::format("Date specified as {} but must be of the form: yyyy or yyyy-MM "
                                   "or yyyy-MM-dd",
                                   value)};
    }
    selection.order = known->order;
    if (is_from) {
      selection.from = std::max(selection.from, period->first);
    } else {
      selection.to = std::min(selection.to, period->after);  // the whole period is included
    }
  }
  return std::nullopt;
}

std::expected<CrossrefProvider::Query, CrossrefProvider::Complaint> CrossrefProvider::ReadQuery(
    const Parameters& parameters) {
  Query query;
  query.selection.from = kWindowMin;
  query.selection.to = kWindowMax;
  for (const auto& [name, value] : parameters.all()) {
    if (!name.starts_with("query.") && std::ranges::find(kParameters, name) == kParameters.end()) {
      return std::unexpected(Complaint{"parameter-not-allowed", name,
                                       fmt::format("This route does not support {}", name)});
    }
    if (name.starts_with("query") && value.find(kUnknownWord) != std::string::npos) {
      query.selection.nothing = true;
    }
  }
  struct Bounded {
    std::string_view name;
    std::int64_t Query::* member;
    std::int64_t max;
  };
  for (const auto& [name, member, max] :
       {Bounded{"rows", &Query::rows, kRowsMax}, Bounded{"offset", &Query::offset, kOffsetMax},
        Bounded{"sample", &Query::sample, kSampleMax}}) {
    const auto* text = parameters.Find(name);
    if (!text) continue;
    const auto number = ParseInteger(*text);
    if (!number || *number < 0 || *number > max) {
      return std::unexpected(
          Complaint{"integer-not-valid", *text,
                    fmt::format("Integer specified as {} but must be a positive integer less than "
                                "or equal to {}. ",
                                *text, max)});
    }
    query.*member = *number;
  }
  if (auto complaint = ReadFilters(parameters.Get("filter"), query.selection)) {
    return std::unexpected(*std::move(complaint));
  }
  const auto sort = parameters.Get("sort");
  if (sort == "created") query.selection.order = View::Order::kByBirth;
  query.selection.newest_first = !sort.empty() && parameters.Get("order", "desc") == "desc";
  query.cursor = parameters.Get("cursor");
  query.terms = parameters.Get("query");
  const auto select = parameters.Get("select");
  for (std::string_view rest = select; !rest.empty();) {
    const auto comma = rest.find(',');
    query.select.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return query;
}

// The works of a list of DOIs: those that exist, in the order of their numbers, each once.
Page CrossrefProvider::PickPage(const Scroll& scroll, std::int64_t rows,
                                const PageTroubles& troubles) const {
  const View view(world_.corpus, scroll.world_now, scroll.selection.order,
                  View::Deletions::kIgnored);
  const std::set<std::int64_t> items(scroll.selection.items.begin(), scroll.selection.items.end());
  std::vector<Entry> found;
  for (const auto item : items) {
    const auto entry = view.Find(item);
    const bool is_asked_for =
        entry && scroll.selection.from <= entry->updated && entry->updated < scroll.selection.to;
    if (is_asked_for) found.push_back(*entry);
  }
  return CutRows(std::move(found), scroll.offset, rows, troubles);
}

void CrossrefProvider::AnswerList(const Call& call, Response& response) {
  auto read = ReadQuery(call.request.parameters);
  if (!read) {
    const auto& complaint = read.error();
    return Complain(response, 400, "validation-failure", complaint.type, complaint.value,
                    complaint.message);
  }
  Query query = std::move(*read);
  const auto& troubles = call.troubles;

  // The scroll keeps the world as it was when it was opened, as Elasticsearch does.
  Scroll scroll{query.selection, call.world_now, query.offset};
  std::string next_cursor;
  if (query.cursor == "*") {
    next_cursor = std::string(kCursorStart) +
                  scrolls_.Open({scroll.selection, scroll.world_now, query.rows}, call.server_time);
  } else if (!query.cursor.empty()) {
    const bool known = query.cursor.starts_with(kCursorStart) &&
                       scrolls_.Visit(query.cursor.substr(kCursorStart.size()), call.server_time,
                                      [&](Scroll& state) {
                                        scroll = state;
                                        if (!troubles.repeat_token) state.offset += query.rows;
                                      });
    if (!known) {
      return Complain(response, 404, "resource-failure", "cursor-invalid", query.cursor,
                      "Cursor specified but it is invalid");
    }
    next_cursor = query.cursor;
  }
  if (troubles.dead_token && !next_cursor.empty()) next_cursor = std::string(kCursorStart) + "gone";
  if (troubles.drop_next) next_cursor.clear();

  const View view(world_.corpus, scroll.world_now, scroll.selection.order,
                  View::Deletions::kIgnored);
  auto window = view.Between(scroll.selection.from, scroll.selection.to);
  if (scroll.selection.nothing) window = {};
  if (query.sample > 0) {
    query.rows = query.sample;
    const auto spare = std::max<std::int64_t>(0, window.count() - query.sample);
    scroll.offset =
        static_cast<std::int64_t>(MixBits(static_cast<std::uint64_t>(call.server_time.count())) %
                                  static_cast<std::uint64_t>(spare + 1));
  }
  const auto page = scroll.selection.by_doi ? PickPage(scroll, query.rows, troubles)
                                            : CutPage(view, window, scroll.offset, query.rows,
                                                      scroll.selection.newest_first, troubles);

  auto& body = response.body;
  const auto out = std::back_inserter(body);
  body +=
      R"({"status":"ok","message-type":"work-list","message-version":"1.0.0","message":{"facets":{},)";
  if (!next_cursor.empty()) fmt::format_to(out, R"("next-cursor":{},)", JsonText(next_cursor));
  fmt::format_to(out, R"("total-results":{},"items":[)", page.total);
  HoleValues values;
  AppendRecords(page.entries, ",", troubles, Shape(call), body, [&](const Entry& entry) {
    const auto start = body.size();
    AppendWork(entry, values, body);
    if (!query.select.empty()) KeepMembers(body, start, query.select);
  });
  fmt::format_to(out, R"(],"items-per-page":{},"query":{{"start-index":{},"search-terms":{}}}}}}})",
                 query.rows, query.offset, query.terms.empty() ? "null" : JsonText(query.terms));
}

void CrossrefProvider::AppendWork(const Entry& entry, HoleValues& values, std::string& out) const {
  const auto millis = [](Instant instant) { return std::to_string(EpochMillis(instant)); };
  values[Hole::kId] = EscapeSlashes(CrossrefDoi(entry.item));
  values[Hole::kNumber] = std::to_string(entry.item);
  values[Hole::kSerial] = SerialOf(entry);
  values[Hole::kUpdated] = PrintSeconds(entry.updated);
  values[Hole::kUpdatedParts] = PartsText(entry.updated);
  values[Hole::kUpdatedMillis] = millis(entry.updated);
  values[Hole::kCreated] = PrintSeconds(entry.created);
  values[Hole::kCreatedParts] = PartsText(entry.created);
  values[Hole::kCreatedMillis] = millis(entry.created);
  works_.AppendTo(out, entry.item, values);
}

void CrossrefProvider::AnswerWork(const Call& call, std::string_view doi,
                                  Response& response) const {
  const View view(world_.corpus, call.world_now, View::Order::kByUpdate, View::Deletions::kIgnored);
  const auto item = ItemOfCrossrefDoi(doi);
  const auto entry = item ? view.Find(*item) : std::nullopt;
  if (!entry) {
    response.status = 404;
    response.content_type = "text/plain";
    response.body = "Resource not found.";
    return;
  }
  HoleValues values;
  response.body = R"({"status":"ok","message-type":"work","message-version":"1.0.0","message":)";
  AppendWork(*entry, values, response.body);
  response.body += '}';
}

}  // namespace patra::sim
