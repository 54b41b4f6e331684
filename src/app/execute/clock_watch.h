// What the answers of one run say about the time at the provider.
#pragma once

#include <algorithm>
#include <optional>

#include "app/port/log.h"
#include "app/port/transport.h"
#include "domain/window/provider_clock.h"
#include "domain/word/lane.h"
#include "domain/word/lineage.h"

namespace patra::app {

class ClockWatch {
 public:
  ClockWatch() = default;
  // `earlier` is a reading of another run.
  explicit ClockWatch(std::optional<domain::ClockReading> earlier) : earlier_(earlier) {}

  void Note(const HttpResponse& response);

  domain::ClockVerdict Judge(std::optional<Instant> newest, Instant now) const {
    return domain::JudgeClocks({reading_, earlier_, newest, now});
  }

  // From when on a window that ends at `to` is not proven by what was read: the provider had not been there yet.
  // `before` is what earlier runs of the slice found. Nothing where all of it is.
  std::optional<Instant> ProvableTo(Instant to, Duration safety_lag, std::optional<Instant> before,
                                    std::optional<Instant> newest, Instant now) const;

  // Says it where the clocks differ, and where they did and do no more.
  void Tell(const domain::Lane& lane, const domain::Lineage& lineage, std::optional<Instant> newest,
            Instant now, Log& log) const;

  const std::optional<domain::ClockReading>& reading() const { return reading_; }

 private:
  std::optional<domain::ClockReading> earlier_;
  std::optional<domain::ClockReading> reading_;  // with ours furthest ahead
  // When the first answer was asked for. A walk is as complete as its first page was late: what came after that was not
  // on it.
  std::optional<Instant> ours_;
  std::optional<Instant> theirs_;
};

}  // namespace patra::app
