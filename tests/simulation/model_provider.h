// A provider in memory, in every way of paging, that loses answers and refuses requests as a seed says.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/port/transport.h"
#include "base/http_date.h"
#include "base/url.h"
#include "base/value.h"
#include "domain/word/window.h"
#include "tests/simulation/stage.h"

namespace patra::testing {

struct ModelRecord {
  std::string id;
  Instant updated;
  bool is_twice = false;   // the list names it two times
  bool is_hidden = false;  // it takes a place on a page, where the provider leaves it out
};

// How the provider speaks of its total.
enum class ModelTotal { kNumber, kText, kNone };

class ModelProvider final : public app::Transport {
 public:
  ModelProvider(Stage& stage, std::vector<ModelRecord> records, double trouble)
      : stage_(stage), records_(std::move(records)), trouble_(trouble) {}

  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    ++requests;
    stage_.Step();
    auto& random = stage_.random();
    const bool is_detail = request.url.find("/details?") != std::string::npos;
    if (down_from && *down_from <= stage_.Now() && stage_.Now() < down_to &&
        (is_detail || !lists_stay_up)) {
      ++refused;
      if (!hangs) return Answer(503, "down");
      // It took the connection and will never say anything.
      stage_.Sleep(request.way.read_timeout);
      return Fail(ErrorCode::kUnavailable, "no byte came");
    }
    if (random.Chance(trouble_)) return Fail(ErrorCode::kUnavailable, "reset before the request");
    if (random.Chance(trouble_)) return Answer(503, "{}");
    if (random.Chance(trouble_)) return Answer(429, "{}");
    auto response = is_detail ? Details(request) : Page(request);
    if (takes > Duration::zero()) {
      const auto waits = std::min(takes, request.way.read_timeout);
      stage_.Sleep(waits);
      if (waits < takes) return Fail(ErrorCode::kUnavailable, "no byte came");
      response.latency = response.first_byte = takes;
    }
    stage_.Step();
    // The provider has done its part, and nobody hears of it.
    if (random.Chance(trouble_)) return Fail(ErrorCode::kUnavailable, "reset after the request");
    if (random.Chance(trouble_)) response.body.resize(response.body.size() / 2);
    return response;
  }

  std::size_t CountIn(Instant from, Instant to) const { return In(from, to).size(); }
  std::vector<ModelRecord>& records() { return records_; }

  // Happens before a page is made: the list may move.
  std::function<void()> before_page{};
  ModelTotal total = ModelTotal::kNumber;
  bool counts_twice = true;       // what the list names two times
  bool order_differs = false;     // from page to page
  std::size_t page_max = 1'000;   // of records, whatever is asked for
  bool pages_leave_gaps = false;  // they are counted as large as they were asked for

  std::size_t list_max = 100'000;  // what lies behind so many is neither listed nor counted
  bool lists_the_newest = false;   // so many of them; else the oldest
  bool lists_any = false;          // so many of them, from all over the window
  bool lists_newest_first = false;
  // Of a longer window it answers for the first or the last part only, and counts no more.
  std::optional<Duration> window_max{};
  bool answers_for_the_last = false;
  bool refuses_long_windows = false;  // instead: 400
  bool answers_long_windows_with_nothing = false;
  bool ignores_windows = false;  // everything comes, whatever is asked for
  // The total is that of the window, and the list holds as many others: those that come first of all, or in so long a stretch as
  // the window begins in.
  bool counts_what_it_does_not_list = false;
  std::optional<Duration> cuts_from_to{};
  // What it announces, of so many records, on a page that begins behind so many.
  std::function<std::int64_t(std::int64_t count, std::int64_t before)> tells{};
  // What it means by the ends of a window; else the first moment is part of it, and the last is not.
  bool excludes_from = false;
  bool includes_to = false;
  std::optional<Duration> cuts_times_to{};  // it knows no finer ones, and cuts both ends down
  // What comes instead of a page, where it says something.
  std::function<std::optional<std::string>()> lie{};

  // An outage.
  std::optional<Instant> down_from{};
  Instant down_to{};
  bool lists_stay_up = false;  // only details are down
  bool hangs = false;          // else it refuses
  Duration takes{};            // each answer
  int refused = 0;             // requests
  // Records that the provider stumbles over: a page that would hold one is a 500, always. Lists of ids alone
  // (style=ids) hold none.
  std::set<std::string> poison{};
  int requests = 0;
  // As real ones do: answers have a date, and what happens later is not there yet.
  bool lives_in_time = false;

 private:
  static constexpr Duration kFar = std::chrono::days(36'500);

  app::HttpResponse Answer(int status, std::string body) const {
    app::HttpResponse answer{.status = status,
                             .content_type = "application/json",
                             .body = std::move(body),
                             .received_at = stage_.Now()};
    if (lives_in_time) answer.headers = {{"date", FormatHttpDate(stage_.Now())}};
    return answer;
  }

  std::vector<ModelRecord> In(Instant from, Instant to) const {
    std::vector<ModelRecord> found;
    for (const auto& record : records_) {
      const bool is_there = !lives_in_time || record.updated <= stage_.Now();
      const bool is_after = excludes_from ? from < record.updated : from <= record.updated;
      const bool is_before = includes_to ? record.updated <= to : record.updated < to;
      const bool is_asked_for = ignores_windows || (is_after && is_before);
      if (!is_there || !is_asked_for) continue;
      found.push_back(record);
      if (record.is_twice) found.push_back(record);
    }
    return found;
  }

  app::HttpResponse Page(const app::HttpRequest& request) {
    if (before_page) before_page();
    if (lie) {
      if (auto body = lie()) return Answer(200, *std::move(body));
    }
    const auto query = QueryOf(request.url);
    auto from = query.contains("from") ? *ParseRfc3339(query.at("from")) : Instant();
    auto to = query.contains("to") ? *ParseRfc3339(query.at("to")) : Instant(kFar);
    if (cuts_times_to) {
      from = domain::FloorTo(from, *cuts_times_to);
      to = domain::FloorTo(to, *cuts_times_to);
    }
    if (window_max && to - from > *window_max && refuses_long_windows)
      return Answer(400, R"({"error":"the range is too long"})");
    if (window_max && to - from > *window_max)
      (answers_for_the_last ? from : to) =
          answers_for_the_last ? to - *window_max : from + *window_max;
    if (answers_long_windows_with_nothing && to - from >= window_max.value_or(kFar)) to = from;
    auto found = In(from, to);
    if (counts_what_it_does_not_list || cuts_from_to) {
      const auto count = found.size();
      found = In(cuts_from_to ? domain::FloorTo(from, *cuts_from_to) : Instant(), to);
      found.resize(std::min(found.size(), count));
    }
    if (lists_newest_first) std::ranges::reverse(found);
    if (lists_the_newest && found.size() > list_max)
      found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(list_max));
    if (lists_any && found.size() > list_max) {
      std::ranges::sort(
          found, {}, [](const ModelRecord& record) { return std::hash<std::string>()(record.id); });
    }
    found.resize(std::min(found.size(), list_max));
    const auto asked = static_cast<std::size_t>(std::stoul(query.at("size")));
    const auto size = std::min(asked, page_max);
    std::size_t first = 0;
    std::string next;
    const auto& style = query.at("style");
    if (style == "page" || style == "ids")
      first = (std::stoul(query.at("page")) - 1) * (pages_leave_gaps ? asked : size);
    if (style == "offset" || (style == "token" && query.contains("token")))
      first = std::stoul(query.at(style == "offset" ? "offset" : "token"));
    if (style == "members" && query.contains("mark")) {
      // Both belong together, and neither alone is a place.
      if (query.at("mark") != "-||" || !query.contains("from_record")) return Answer(400, "{}");
      first = std::stoul(query.at("from_record"));
    }
    if (style == "header") first = std::stoul(HeaderOf(request, "X-Continuation").value_or("0"));
    if (style == "scroll") {
      // Every use moves it on.
      auto id = query.contains("token") ? query.at("token") : fmt::format("s{}", ++scrolls_made_);
      if (query.contains("token") && !scrolls_.contains(id)) return Answer(404, "{}");
      first = scrolls_[id];
      scrolls_[id] = first + size;
      next = id;
    }
    // As frameworks do that take the first page of an empty list for a page, and no other.
    if (found.empty() && first > 0) return Answer(404, "no such page");
    if (order_differs && first / size % 2 == 1) std::ranges::reverse(found);
    Value::Array items;
    for (auto i = first; i < std::min(first + size, found.size()); ++i) {
      if (style == "ids") {
        items.push_back(Value::Object{{"id", found[i].id}});
        continue;
      }
      if (poison.contains(found[i].id)) return Answer(500, "cannot serialize a record");
      if (!found[i].is_hidden) items.push_back(ItemOf(found[i]));
    }
    const bool is_followed = first + size < found.size();
    if (style == "token" && is_followed) next = std::to_string(first + size);
    // Now and then it miscounts.
    auto count =
        static_cast<std::int64_t>(found.size()) + (stage_.random().Chance(5 * trouble_) ? 1 : 0);
    if (!counts_twice) count -= std::ranges::count(found, true, &ModelRecord::is_twice) / 2;
    if (tells) count = tells(count, static_cast<std::int64_t>(first));
    Value::Object body{{"items", std::move(items)}};
    if (total == ModelTotal::kNumber) body["total"] = count;
    if (total == ModelTotal::kText) body["total"] = fmt::to_string(count);
    if (!next.empty()) body["next"] = next;
    if (style == "members" && is_followed)
      body["continue"] =
          Value::Object{{"from_record", std::to_string(first + size)}, {"mark", "-||"}};
    auto answer = Answer(200, PrintJson(body));
    if (style == "header" && is_followed)
      answer.headers.emplace_back("x-continuation", std::to_string(first + size));
    return answer;
  }

  static std::optional<std::string> HeaderOf(const app::HttpRequest& request,
                                             std::string_view name) {
    for (const auto& [header, value] : request.headers) {
      if (header == name) return value;
    }
    return std::nullopt;
  }

  app::HttpResponse Details(const app::HttpRequest& request) {
    const auto ids = "," + QueryOf(request.url).at("ids") + ",";
    Value::Array items;
    for (const auto& record : records_) {
      if (ids.find("," + record.id + ",") == std::string::npos) continue;
      if (poison.contains(record.id)) return Answer(500, "cannot serialize a record");
      items.push_back(ItemOf(record));
    }
    return Answer(200, PrintJson(Value::Object{{"items", std::move(items)}}));
  }

  static Value ItemOf(const ModelRecord& record) {
    return Value::Object{
        {"id", record.id}, {"updated", FormatRfc3339(record.updated)}, {"title", "T " + record.id}};
  }

  static std::map<std::string, std::string> QueryOf(const std::string& url) {
    std::map<std::string, std::string> query;
    auto rest = std::string_view(url).substr(url.find('?') + 1);
    while (!rest.empty()) {
      const auto end = std::min(rest.find('&'), rest.size());
      const auto pair = rest.substr(0, end);
      const auto equals = pair.find('=');
      std::string value;
      for (std::size_t i = equals + 1; i < pair.size(); ++i) {
        if (pair[i] == '%') {
          value += static_cast<char>(std::stoi(std::string(pair.substr(i + 1, 2)), nullptr, 16));
          i += 2;
        } else {
          value += pair[i];
        }
      }
      query[std::string(pair.substr(0, equals))] = value;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return query;
  }

  Stage& stage_;
  std::vector<ModelRecord> records_;
  const double trouble_;
  std::map<std::string, std::size_t> scrolls_;
  int scrolls_made_ = 0;
};

}  // namespace patra::testing
