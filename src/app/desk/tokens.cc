#include "app/api/tokens.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "base/duration.h"
#include "base/hash.h"
#include "base/secret_bytes.h"

namespace patra::app {
namespace {

// By which whoever finds one somewhere knows what it is.
constexpr std::string_view kTokenBegins = "patra_";
constexpr std::size_t kTokenSecretBytes = 32;
constexpr std::size_t kTokenNameMax = 64;

bool IsTokenName(std::string_view name) {
  const auto is_known = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= kTokenNameMax && std::ranges::all_of(name, is_known);
}

// The highest of what its scopes say; what nobody knows gives nothing.
domain::Access AccessOf(const ApiToken& token) {
  auto access = domain::Access::kViewer;
  for (const auto& scope : token.scopes)
    access = std::max(access, domain::FindCode<domain::Access>(scope).value_or(access));
  return access;
}

class StoreTokens final : public Tokens {
 public:
  explicit StoreTokens(const DeskPorts& ports)
      : tokens_(ports.store.tokens()), clock_(ports.clock), mask_(ports.mask) {}

  Result<CreatedToken> Create(const TokenRequest& request, const domain::Actor& actor) override {
    if (!IsTokenName(request.name)) {
      return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no name of a token", request.name),
                  {}, fmt::format("letters, digits, '-', '_' and '.', at most {}", kTokenNameMax));
    }
    const auto expires_at = PATRA_TRY(ExpiryOf(request.lasts));
    const auto secret = PATRA_TRY(SecretBytes(kTokenSecretBytes));
    CreatedToken created{.token = std::string(kTokenBegins), .expires_at = expires_at};
    created.token += ToHex(reinterpret_cast<const std::uint8_t*>(secret.data()), secret.size());
    PATRA_TRY(tokens_.Add({.name = request.name,
                           .hash = Sha256Hex(created.token),
                           .scopes = {std::string(CodeOf(request.access))},
                           .expires_at = expires_at},
                          mask_.Decided(actor, request.reason)));
    return created;
  }

  Result<std::vector<TokenReport>> List() override {
    std::vector<TokenReport> reports;
    for (const auto& token : PATRA_TRY(tokens_.List())) {
      reports.push_back({.name = token.name,
                         .access = AccessOf(token),
                         .created_at = token.created_at,
                         .expires_at = token.expires_at,
                         .last_used_at = token.last_used_at});
    }
    return reports;
  }

  Result<void> Revoke(const std::string& name, const std::string& reason,
                      const domain::Actor& actor) override {
    return tokens_.Revoke(name, mask_.Decided(actor, reason));
  }

  Result<std::optional<TokenHolder>> HolderOf(std::string_view token) override {
    if (!token.starts_with(kTokenBegins)) return std::nullopt;
    const auto hash = Sha256Hex(token);
    const auto found = PATRA_TRY(tokens_.Use(hash));
    // The store has compared in a way that may tell by its time how far two hashes agree.
    if (!found || !EqualInConstantTime(found->hash, hash)) return std::nullopt;
    return TokenHolder{.name = found->name, .access = AccessOf(*found)};
  }

 private:
  Result<std::optional<Instant>> ExpiryOf(const std::optional<std::string>& lasts) const {
    if (!lasts) return std::nullopt;
    const auto length = PATRA_TRY(ParseDuration(*lasts));
    if (length <= Duration::zero()) {
      return Fail(ErrorCode::kInvalidInput, "a token has to last", {},
                  "it is a length such as 12h or 90d");
    }
    return PATRA_TRY(patra::Add(clock_.Now(), length));
  }

  ApiTokenRepository& tokens_;
  Clock& clock_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Tokens> MakeTokens(const DeskPorts& ports) {
  return std::make_unique<StoreTokens>(ports);
}

}  // namespace patra::app
