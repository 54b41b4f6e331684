#include "domain/spec/check_window.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/duration.h"
#include "base/template.h"
#include "base/time_zone.h"
#include "domain/spec/template_reads.h"

namespace patra::domain {
namespace {

// Each placeholder of the template, with the text behind it.
std::vector<std::string> PlaceholdersOf(const std::string& text) {
  std::vector<std::string> placeholders;
  for (auto at = text.find("${"); at != std::string::npos;) {
    const auto next = text.find("${", at + 2);
    placeholders.push_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return placeholders;
}

// What is moved by hand would be moved twice, and the records between are never asked for.
bool MovesEnd(const std::string& text) {
  return std::ranges::any_of(PlaceholdersOf(text), [](const std::string& placeholder) {
    const bool is_moved = placeholder.find("minus") != std::string::npos ||
                          placeholder.find("plus") != std::string::npos;
    return is_moved && Reads(placeholder, "window.to");
  });
}

// What the placeholder writes for a window that ends then; nothing where that takes more than a window.
std::optional<std::string> WrittenFor(const Template& placeholder, Instant end) {
  const auto text = FormatRfc3339(end);
  const Value context =
      Value::Object{{"window", Value::Object{{"from", text}, {"to", text}, {"last", text}}}};
  const auto rendered = placeholder.Render(context, {.now = end});
  if (!rendered || !*rendered) return std::nullopt;
  return CanonicalJson(**rendered);
}

// Whether two ends that the provider's filter tells apart are written alike.
bool IsTooCoarse(const std::string& placeholder, Duration step) {
  if (!Reads(placeholder, "window.to") && !Reads(placeholder, "window.last")) return false;
  const auto compiled = Template::Compile(placeholder);
  if (!compiled) return false;
  // Far from the ends of minutes, hours, days and months, so that a step does not lead into the next one.
  const Instant end = std::chrono::sys_days{std::chrono::year{2026} / 3 / 11} +
                      std::chrono::hours(10) + std::chrono::minutes(20) + std::chrono::seconds(30) +
                      std::chrono::microseconds(100'100);
  const auto one = WrittenFor(*compiled, end);
  return one && one == WrittenFor(*compiled, end + step);
}

// A filter that includes its end is given the last moment of the window. Written more coarsely than the filter counts, it
// means an earlier one, and what came between is never asked for.
void CheckFormat(const CheckSubject& on, const std::vector<std::string>& texts) {
  const auto step = LengthOf(on.spec.window.granularity);
  for (const auto& text : texts) {
    for (const auto& placeholder : PlaceholdersOf(text)) {
      if (!IsTooCoarse(placeholder, step)) continue;
      const auto what = fmt::format(
          "'{}' writes ends that are {} apart alike, and granularity says that the "
          "provider's filter tells them apart",
          text, FormatDuration(step));
      const std::string hint = "set granularity to what is written, or write all of the moment";
      if (on.spec.window.ends == WindowEnds::kInclusive) {
        on.Require(false, "window.granularity", what, hint);
      } else {
        on.Warn("window.granularity", what, hint);
      }
      return;
    }
  }
}

// Whether a moment that is another day in the zone is written as the day that it is in UTC, and nothing beside it says so.
bool WritesDaysOfUtc(const Template& placeholder, const TimeZone& zone) {
  constexpr std::chrono::minutes kFromMidnight{5};
  const std::chrono::sys_days day{std::chrono::year{2026} / 3 / 11};
  const bool is_ahead = zone.OffsetAt(day) > std::chrono::seconds(0);
  const auto moment = is_ahead ? day + std::chrono::days(1) - kFromMidnight : day + kFromMidnight;
  const auto written = WrittenFor(placeholder, moment).value_or("");
  std::string digits;
  std::ranges::copy_if(written, std::back_inserter(digits),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  const bool is_day_of_utc = digits.starts_with("20260311") || digits.starts_with("11032026");
  const bool names_zone =
      std::ranges::any_of(std::to_array<std::string_view>({"Z", "+", "UTC", "GMT"}),
                          [&](auto mark) { return written.find(mark) != std::string::npos; });
  return is_day_of_utc && !names_zone;
}

// Dates that name no zone are read by the provider's clock: written by another one, every window is asked for hours too early
// or too late, and what is new at its end is left out.
void CheckZone(const CheckSubject& on, const std::vector<std::string>& texts) {
  const auto zone = TimeZone::Find(on.spec.window.timezone);
  const Instant winter = std::chrono::sys_days{std::chrono::year{2026} / 3 / 11};
  if (!zone || std::chrono::abs(zone->OffsetAt(winter)) < std::chrono::hours(1)) return;
  for (const auto& text : texts) {
    for (const auto& placeholder : PlaceholdersOf(text)) {
      if (!Reads(placeholder, "window.from") && !Reads(placeholder, "window.to") &&
          !Reads(placeholder, "window.last"))
        continue;
      const auto compiled = Template::Compile(placeholder);
      if (!compiled) continue;
      const bool is_utc = WritesDaysOfUtc(*compiled, *zone);
      on.Require(
          !is_utc, "window.timezone",
          fmt::format("'{}' writes dates in UTC without saying so, and the provider's filter "
                      "goes by {}",
                      text, on.spec.window.timezone),
          fmt::format("name the zone, as in formatDateTime('yyyy-MM-dd HH:mm:ss', '{}')",
                      on.spec.window.timezone));
      if (is_utc) return;
    }
  }
}

// `${window.to}` is what the provider's filter needs; whoever names a moment for himself has to agree with it.
void CheckEnds(const CheckSubject& on) {
  auto texts = TemplatesOf(on.spec.http);
  if (on.spec.details) {
    for (auto& text : TemplatesOf(on.spec.details->http)) texts.push_back(std::move(text));
  }
  CheckFormat(on, texts);
  CheckZone(on, texts);
  if (on.spec.window.ends == WindowEnds::kExclusive) {
    if (on.view.IsDeclared("window.ends") && Reads(on.spec, "window.last"))
      on.Warn("window.ends",
              "the filter excludes its upper end, and the request gives it ${window.last}: what "
              "happened then is never asked for",
              "write ${window.to}, or `ends: inclusive` if the filter includes it");
    return;
  }
  for (const auto& text : texts) {
    on.Require(
        !MovesEnd(text), "window.ends",
        fmt::format("where the filter includes its end, ${{window.to}} is the last moment of "
                    "the window already: '{}' moves it",
                    text),
        "write ${window.to} alone");
  }
}

}  // namespace

void CheckWindow(const CheckSubject& on) {
  const auto& window = on.spec.window;
  if (!IsWalked(on.spec.role)) return;
  const bool has_updated = on.spec.response.updated.has_value() || on.spec.details;
  if (window.filter == WindowFilter::kClient) {
    on.Require(on.spec.order.stable && has_updated, "window.filter",
               "filtering here needs order.stable and response.updated");
    on.Require(IsSortedByTime(on.spec), "order.by",
               fmt::format("filtering here ends with the first record beyond the window, and the "
                           "list is sorted by '{}'",
                           on.spec.order.by),
               fmt::format("updated, or {}, which the window counts", window.watermark_key));
  }
  if (window.filter == WindowFilter::kNone) {
    on.Warn("window.filter", "every harvest reads the whole list");
    return;
  }
  on.Require(on.view.IsDeclared("window.start"), "window.start",
             "it is not said where the first harvest begins");
  on.Require(window.safety_lag >= Duration(0), "window.safety_lag", "a lag is not negative");
  on.Require(window.safety_lag <= window.safety_lag_max, "window.safety_lag",
             "it is above safety_lag_max");
  on.Require(window.lookback >= Duration(0), "window.lookback", "a lookback is not negative");
  on.Require(Duration(0) < window.width_min && window.width_min <= window.width &&
                 window.width <= window.width_max,
             "window.width", "widths have to rise: at least, at first, at most");
  on.Require(!window.longest || window.width_max <= *window.longest, "window.longest",
             "slices may be wider than that: see window.width");
  on.Require(window.align > Duration(0), "window.align", "it has to be longer than nothing");
  on.Require(window.align <= window.width_min, "window.align",
             fmt::format("windows may be as narrow as {}: they cannot lie on multiples of {}",
                         FormatDuration(window.width_min), FormatDuration(window.align)));
  const auto step = LengthOf(window.granularity);
  if (window.align > Duration(0))
    on.Require(window.align % step == Duration(0), "window.align",
               fmt::format("the provider's filter has steps of {}", FormatDuration(step)),
               "align to whole steps, or neighbouring windows ask for the same records");
  on.Require(!window.watermark_key.empty(), "window.by", "the watermark needs a name");
  if (!on.spec.order.stable && window.safety_lag == Duration(0))
    on.Warn("window.safety_lag",
            "records may move while they are read, and there is no safety lag");
  CheckEnds(on);
}

}  // namespace patra::domain
