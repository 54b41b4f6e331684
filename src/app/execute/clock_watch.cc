#include "app/execute/clock_watch.h"

#include <fmt/format.h>

#include "domain/window/provider_now.h"

namespace patra::app {
namespace {

std::string Compared(const std::optional<domain::ClockReading>& reading,
                     std::optional<Instant> newest, Instant now) {
  if (reading) {
    return fmt::format("ours said {} when the provider's said {}", FormatRfc3339(reading->ours),
                       FormatRfc3339(reading->theirs));
  }
  return fmt::format("ours says {}, the newest record {}", FormatRfc3339(now),
                     FormatRfc3339(newest.value_or(now)));
}

}  // namespace

void ClockWatch::Note(const HttpResponse& response) {
  if (response.status == 0) return;  // there was no answer
  const auto sent_at = response.received_at - response.latency;
  ours_ = std::min(ours_.value_or(sent_at), sent_at);
  const auto reading = domain::ReadClock(response.Header("Date"), response.Header("Age"),
                                         response.received_at, response.latency);
  if (!reading) return;
  theirs_ = std::min(theirs_.value_or(reading->theirs), reading->theirs);
  if (!reading_ || reading->ahead() > reading_->ahead()) reading_ = reading;
}

std::optional<Instant> ClockWatch::ProvableTo(Instant to, Duration safety_lag,
                                              std::optional<Instant> before,
                                              std::optional<Instant> newest, Instant now) const {
  if (!ours_) return before;
  const auto verdict = Judge(newest, now);
  // What was believed of a date that is no clock is not believed any more.
  if (verdict == domain::ClockVerdict::kNoClock) before.reset();
  const auto limit = domain::ProviderNow(verdict, *ours_, theirs_) - safety_lag;
  if (limit >= to) return before;
  return std::min(before.value_or(limit), limit);
}

void ClockWatch::Tell(const domain::Lane& lane, const domain::Lineage& lineage,
                      std::optional<Instant> newest, Instant now, Log& log) const {
  using enum domain::ClockVerdict;
  const auto verdict = Judge(newest, now);
  const auto write = [&](LogLevel level, std::string_view event) {
    log.Write(level, event, lineage,
              {{"source", lane.provenance},
               {"endpoint", lane.endpoint},
               {"clock", "provider"},
               {"reason", Compared(reading_, newest, now)}});
  };
  switch (verdict) {
    case kOursAhead:
      return write(LogLevel::kError, "clock.ahead");
    case kOursBehind:
      return write(LogLevel::kWarn, "clock.behind");
    case kNoClock:
      return write(LogLevel::kWarn, "clock.none");
    case kAgree:
      break;
  }
  const bool differed =
      earlier_ && domain::JudgeClocks({earlier_, std::nullopt, std::nullopt, now}) != kAgree;
  if (reading_ && differed) write(LogLevel::kInfo, "clock.agrees");
}

}  // namespace patra::app
