// Providers on a loopback port, with a known truth and faults on demand.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "sim/truth.h"

namespace patra::sim {

struct SimulatorOptions {
  std::uint64_t seed = 1;
  std::int64_t size = 10'000;  // items at the start
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;              // 0 = any free one
  bool tls = false;                    // with a certificate that is made at the start
  std::vector<std::string> providers;  // empty = all
  Instant begin = std::chrono::sys_days{std::chrono::year{2020} / 1 / 1};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};  // world time at the start
  double speed = 0;  // world seconds per real second; 0 stands still until it is advanced
  // By how much the servers' clocks (their Date headers) are ahead of real time; none: as the world's time, which is
  // theirs then, only that they do not stand still.
  std::optional<Duration> clock_offset{};
  Duration late_by = std::chrono::hours(36);
  bool enforce_limits = true;
  bool gzip = false;  // compress for clients that accept it; costs most of the speed
  int connections_max = 512;
  Value faults;  // a scenario (see faults.h); null = none
};

// Thread-safe.
class Simulator {
 public:
  static Result<std::unique_ptr<Simulator>> Start(SimulatorOptions options);
  ~Simulator();  // stops

  std::string url() const;  // "http://127.0.0.1:8080", without a trailing slash
  std::uint16_t port() const;
  const std::string& certificate() const;      // PEM; empty without TLS
  std::vector<std::string> Endpoints() const;  // for people

  Instant WorldNow() const;
  void Advance(Duration duration);       // REQUIRES: not negative
  void SetClockOffset(Duration offset);  // as in the options

  // What a correct harvest of [from, to) holds now.
  Result<std::unique_ptr<TruthWalk>> Truth(std::string_view source, Instant from, Instant to) const;

  Result<void> SetFaults(const Value& scenario);  // replaces all; null removes them
  Result<void> SetLimits(std::string_view source, const Value& rules);  // an array; [] removes them
  Value Stats() const;
  void ClearStats();

  void Stop();

 private:
  class Running;
  explicit Simulator(std::unique_ptr<Running> running);
  std::unique_ptr<Running> running_;
};

}  // namespace patra::sim
