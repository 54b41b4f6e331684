#include "adapter/rest/waiting_front.h"

#include "adapter/rest/problem.h"

namespace patra::adapter::rest {
namespace {

bool IsAskedFor(const HttpRequest& request, std::string_view path) {
  const bool looks = request.method == "GET" || request.method == "HEAD";
  return looks && std::string_view(request.target).substr(0, request.target.find('?')) == path;
}

}  // namespace

HttpAnswer WaitingFront::Answer(const HttpRequest& request) {
  auto answer = IsAskedFor(request, kAlivePath)   ? AliveAnswer()
                : IsAskedFor(request, kReadyPath) ? ReadyAnswer(reasons_())
                                                  : ComeAgain();
  AddUsualHeaders(answer, is_secure_);
  return answer;
}

std::optional<HttpAnswer> WaitingFront::RefuseEarly(const HttpRequest& request) const {
  const auto length = request.Header("content-length");
  const bool has_body =
      (!length.empty() && length != "0") || request.HasHeader("transfer-encoding");
  if (!has_body) return std::nullopt;
  auto answer = ComeAgain();
  AddUsualHeaders(answer, is_secure_);
  return answer;
}

// Who asks is not known without the tokens of the store, so that they hear no more than this.
HttpAnswer WaitingFront::ComeAgain() const {
  return ProblemOf({ErrorCode::kUnavailable,
                    "the store is away, and is waited for",
                    {},
                    "come again as Retry-After says; /readyz tells why"});
}

}  // namespace patra::adapter::rest
