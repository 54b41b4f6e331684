// Answers while there is no store yet: that the process lives, why it cannot serve, and to everybody else when to come again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "adapter/rest/answerer.h"

namespace patra::adapter::rest {

// Thread-safe, as far as what it asks is.
class WaitingFront final : public Answerer {
 public:
  // Why nobody can be served, for people.
  using Reasons = std::function<std::vector<std::string>()>;

  // REQUIRES: reasons
  WaitingFront(Reasons reasons, bool is_secure)
      : reasons_(std::move(reasons)), is_secure_(is_secure) {}

  HttpAnswer Answer(const HttpRequest& request) override;
  // Nothing that is sent is of use to anybody.
  std::optional<HttpAnswer> RefuseEarly(const HttpRequest& request) const override;

 private:
  HttpAnswer ComeAgain() const;

  const Reasons reasons_;
  const bool is_secure_;
};

}  // namespace patra::adapter::rest
