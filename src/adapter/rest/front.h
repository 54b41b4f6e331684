// Answers requests: finds the row of the table, lets the caller in or not, checks what came, asks the handler. Knows nothing of
// sockets.
#pragma once

#include <functional>
#include <string>

#include "adapter/rest/answerer.h"
#include "adapter/rest/change_hub.h"
#include "adapter/rest/door.h"
#include "adapter/rest/event_hub.h"
#include "adapter/rest/http_message.h"
#include "adapter/rest/router.h"
#include "adapter/rest/services.h"

namespace patra::adapter::rest {

inline constexpr std::size_t kBodyBytesUsual = 1u << 20;

struct FrontRules {
  DoorRules door{};
  std::size_t body_bytes_max = kBodyBytesUsual;
  bool is_secure = false;  // by TLS
  EventBounds events{};
};

// What is told of a request when it was answered: never its query, headers or body, in which secrets may be.
struct AnsweredRequest {
  std::string method;
  std::string path;    // as the table has it, or "" where it has none
  std::string caller;  // empty where nobody was let in
  std::string reason;  // of a change; empty where it was refused before
  std::string peer;
  int status = 0;
  Duration took{};
};
using OnAnswered = std::function<void(const AnsweredRequest&)>;

// Thread-safe.
class Front final : public Answerer {
 public:
  Front(FrontRules rules, Services& services, const Clock& clock, OnAnswered on_answered);

  HttpAnswer Answer(const HttpRequest& request) override;
  std::optional<HttpAnswer> RefuseEarly(const HttpRequest& request) const override;

  const Router& router() const { return router_; }
  void StopFeeds() override {
    events_.Stop();
    change_feed_.Stop();
  }

 private:
  HttpAnswer Decide(const HttpRequest& request, AnsweredRequest& told);
  HttpAnswer AskHandler(const HttpRequest& request, const Target& target, const Route& route,
                        const Caller& caller, AnsweredRequest& told);
  bool MayStay(const HttpRequest& request, const std::string& authority, domain::Access access);
  // `on_problem`: what a caller who is refused has to know besides.
  static HttpAnswer AnswerOf(const Route& route, const Call& call,
                             std::string_view on_problem = {});
  HttpAnswer AnswerOnce(const HttpRequest& request, const Route& route, const Call& call);
  Result<Fields> BodyOf(const HttpRequest& request, const Route& route) const;
  void Finish(const HttpRequest& request, HttpAnswer& answer) const;

  const FrontRules rules_;
  Services& services_;
  const Clock& clock_;
  const OnAnswered on_answered_;
  Door door_;
  const Router router_;
  Turns turns_;
  EventHub events_;
  ChangeHub change_feed_;
};

}  // namespace patra::adapter::rest
