#include "infra/redis/redis_address.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace patra::infra::redis {
namespace {

constexpr int kPortMax = 65'535;
constexpr int kDatabaseMax = 9'999;
constexpr std::string_view kHint =
    "as redis://HOST/0, or redis://HOST:PORT/0; the password is in PATRA_GATE_PASSWORD";

std::unexpected<Error> Wrong(std::string_view what) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("the gate's address {}", what), {},
              std::string(kHint));
}

std::optional<int> NumberIn(std::string_view text, int least, int most) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = problem == std::errc() && end == text.data() + text.size();
  if (!is_whole || number < least || number > most) return std::nullopt;
  return number;
}

}  // namespace

Result<RedisAddress> RedisAddress::Parse(std::string_view text) {
  constexpr std::string_view kScheme = "redis://";
  if (text.starts_with("rediss://")) {
    return Fail(ErrorCode::kInvalidInput, "the gate cannot speak TLS to Redis (rediss://)", {},
                "Debian's hiredis is built without it: use redis:// inside a network that you "
                "trust, or a tunnel (stunnel, WireGuard) that ends on this machine");
  }
  if (!text.starts_with(kScheme)) return Wrong("does not begin with redis://");
  text.remove_prefix(kScheme.size());
  // Not repeated in the message: it may hold a secret.
  if (text.contains('@')) return Wrong("must not hold a password");
  RedisAddress address;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto database = text.substr(slash + 1);
    if (!database.empty()) {
      const auto number = NumberIn(database, 0, kDatabaseMax);
      if (!number) return Wrong("names no database by its number");
      address.database = *number;
    }
    text = text.substr(0, slash);
  }
  const auto bracket = text.rfind(']');
  const auto colon = text.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const auto port = NumberIn(text.substr(colon + 1), 1, kPortMax);
    if (!port) return Wrong("has a port that is none");
    address.port = *port;
    text = text.substr(0, colon);
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  const bool is_plain = std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == ':';
  });
  if (text.empty() || !is_plain) return Wrong("names no host");
  address.host = text;
  return address;
}

std::string RedisAddress::Text() const {
  const bool is_v6 = host.contains(':');
  return fmt::format("redis://{}{}{}:{}/{}", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port,
                     database);
}

}  // namespace patra::infra::redis
