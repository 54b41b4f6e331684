// The simulator's own endpoints, under /__sim: truth, clock, limits, faults, statistics.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "sim/http_message.h"
#include "sim/truth.h"

namespace patra::sim {

class Controls {
 public:
  // What the controls act on.
  class Target {
   public:
    virtual ~Target() = default;
    virtual std::string url() const = 0;
    virtual std::vector<std::string> Endpoints() const = 0;
    virtual Instant WorldNow() const = 0;
    virtual void Advance(Duration duration) = 0;
    virtual Result<std::unique_ptr<TruthWalk>> Truth(std::string_view source, Instant from,
                                                     Instant to) const = 0;
    virtual Result<void> SetLimits(std::string_view source, const Value& rules) = 0;
    virtual Value Limits() const = 0;
    virtual Result<void> SetFaults(const Value& scenario) = 0;
    virtual Value Faults() const = 0;
    virtual Value Stats() const = 0;
    virtual void ClearStats() = 0;
  };

  explicit Controls(Target& target) : target_(target) {}

  void Answer(const Request& request, Response& response);

 private:
  void AnswerInfo(Response& response) const;
  Result<void> AnswerTruth(const Request& request, Response& response) const;
  Result<void> AnswerClock(const Request& request, Response& response);
  Result<void> AnswerLimits(const Request& request, Response& response);
  Result<void> AnswerFaults(const Request& request, Response& response);
  Result<void> AnswerStats(const Request& request, Response& response);

  Target& target_;
};

}  // namespace patra::sim
