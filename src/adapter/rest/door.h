// Who may come in: by a token, or from this machine itself where nobody else can reach the server.
#pragma once

#include <expected>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "adapter/rest/allowance.h"
#include "adapter/rest/http_message.h"
#include "app/api/tokens.h"
#include "domain/word/access.h"

namespace patra::adapter::rest {

struct DoorRules {
  bool is_on_loopback = false;  // the server listens on nothing else
  std::vector<std::string>
      hosts{};  // names that callers without a token may use for it, beside those of loopback
  std::vector<std::string>
      origins{};  // other sites whose pages may ask, such as https://ops.example.org
  Rate rate{};    // of each caller
  Rate failures{.per_second = 1.0 / 6,
                .at_once = 10};  // of each address, with tokens that nobody has
};

struct Caller {
  std::string name;  // of the token, or "local"
  domain::Access access = domain::Access::kViewer;
};

// Thread-safe.
class Door {
 public:
  Door(DoorRules rules, app::Tokens& tokens, const Clock& clock);

  // `authority` is what an absolute address named, else empty.
  std::expected<Caller, HttpAnswer> Admit(const HttpRequest& request, const std::string& authority);

  // Of those who come in without being asked who they are: that they asked too often.
  std::optional<HttpAnswer> Pace(const HttpRequest& request);

  // Whether pages of that origin may ask; there is none where no page asks.
  bool Welcomes(const HttpRequest& request, const std::string& authority) const;
  bool IsNamedOrigin(std::string_view origin) const;

 private:
  std::optional<HttpAnswer> Pace(const std::string& caller);
  std::expected<Caller, HttpAnswer> AdmitToken(const HttpRequest& request);
  std::expected<Caller, HttpAnswer> AdmitLocal(const HttpRequest& request,
                                               const std::string& host) const;

  // Whether that token let somebody in lately.
  bool IsFamiliar(const std::string& digest);
  void Remember(const std::string& digest);

  const DoorRules rules_;
  app::Tokens& tokens_;
  std::mutex mutex_;
  std::unordered_set<std::string> familiar_;  // digests of tokens
  Allowances callers_;
  Allowances failures_;
};

// The name or address in "[::1]:8080", without port and brackets, in lower case.
std::string HostIn(std::string_view authority);

}  // namespace patra::adapter::rest
