// One Send, from the permit to the answer, with the requests that it takes on the way: redirects, a new
// token, another key.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/send/credentials.h"
#include "app/send/reach.h"
#include "app/send/sender.h"
#include "domain/spec/source_rules.h"

namespace patra::app {

// The one among several credentials that the next request uses: an index, or nothing where the provider
// refuses them all.
Result<std::optional<std::size_t>> ChooseAmong(const std::vector<Credential>& credentials,
                                               domain::GateTarget target,
                                               const domain::GateRules& rules, RateGate& gate,
                                               const Clock& clock, domain::KeyOrder order,
                                               Duration wait_max = kPermitWaitUsual);
inline domain::KeyOrder OrderOf(const domain::AuthSpec& auth) {
  return auth.key_order.value_or(domain::KeyOrder::kEvenly);
}

// Takes a credential out, for all processes, until a person has put it right.
Result<void> TakeOut(const SenderPorts& ports, const domain::GateTarget& target,
                     const domain::GateRules& rules, const domain::Lineage& lineage, int status);

// What the gate learns of a request that went out.
domain::GateSignal SignalOf(const Sent& sent);

class SendRequest {
 public:
  SendRequest(const SenderPorts& ports, AccessTokens& tokens, AnswerBook& answers,
              const std::string& product, const Outgoing& outgoing, const OnGateWait& on_wait);

  Result<Sent> Run();

 private:
  const domain::HttpSpec& http() const;
  Result<HttpRequest> Prepare();
  Result<void> RunAs(const Credential& credential, const HttpRequest& plain);
  Result<void> Walk(const Credential& credential, HttpRequest request);
  Result<std::optional<Url>> RedirectOf(const Url& from, const HttpRequest& request,
                                        int hops) const;
  Result<bool> Exchange(HttpRequest request);
  void SignForTraces(HttpRequest& request);
  Result<void> PassOn();
  Result<std::optional<Credential>> WithToken(const Credential& client, const HttpRequest& plain);
  Result<std::optional<AccessToken>> FetchToken(const Credential& client, const HttpRequest& plain);
  std::unexpected<Error> Refused(const std::string& credential) const;
  void NoteUse(const Credential& credential) const;
  void WarnOfShort(const std::vector<Credential>& credentials) const;
  bool IsRefusal() const;
  void FailWith(Error error);
  Sent Finish(const HttpRequest& plain);

  const SenderPorts& ports_;
  AccessTokens& tokens_;
  AnswerBook& answers_;
  const std::string& product_;
  const Outgoing& outgoing_;
  const OnGateWait& on_wait_;
  const domain::Phase phase_;
  const std::string endpoint_;  // as the book calls it
  std::optional<Reach> reach_;
  std::optional<std::string> credential_note_;
  Sent sent_;
};

}  // namespace patra::app
