// A simulated provider: answers requests under its prefix, knows its own limits and error bodies,
// and knows the truth about what a correct harvest of it holds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "base/value.h"
#include "sim/http_message.h"
#include "sim/limits.h"
#include "sim/page_troubles.h"
#include "sim/truth.h"

namespace patra::sim {

// One request with all that an answer may depend on.
struct Call {
  const Request& request;
  std::string path;      // behind the provider's prefix, with a leading '/'
  std::string base_url;  // as the client knows us, up to and including the provider's prefix
  Instant world_now;
  Duration server_time;
  PageTroubles troubles;
};

// Thread-safe: Answer is called from many threads at once.
class Provider {
 public:
  virtual ~Provider() = default;

  virtual std::string_view name() const = 0;  // "crossref"; its prefix is "/crossref"

  virtual void Answer(const Call& call, Response& response) = 0;

  // Who is asking, as far as this provider's limits care.
  virtual Caller IdentifyCaller(const Call& call) const = 0;
  virtual std::vector<LimitRule> DefaultLimits() const { return {}; }

  // The provider's own way to say "too much", and to show its limits on ordinary answers.
  virtual void Reject(const Call& call, const Rejection& rejection, Response& response) const = 0;
  virtual void ShowLimits(const Call&, const LimitState&, Response&) const {}

  // The provider's own way to say that something failed inside a 200.
  virtual void FailInside(const Call& call, Response& response) const = 0;

  virtual void RefuseCredentials(const Call& call, Response& response) const;

  // Everything a correct harvest of [from, to) must hold at `now`; null for an unknown variant. The
  // variant is what follows the name in "oai/day": another way of asking for the same world.
  virtual std::unique_ptr<TruthWalk> Truth(std::string_view variant, Instant from, Instant to,
                                           Instant now) const = 0;

  // A line per endpoint for people: "GET /crossref/works".
  virtual std::vector<std::string> Endpoints() const = 0;
};

}  // namespace patra::sim
