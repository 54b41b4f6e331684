#include "infra/mysql/address.h"

#include <charconv>

#include <fmt/format.h>

namespace patra::infra::mysql {
namespace {

constexpr std::string_view kScheme = "mysql://";

std::unexpected<Error> Wrong(std::string_view what) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("the address of the database {}", what), {},
              "write it as mysql://USER@HOST:PORT/DATABASE, with ?tls=verify or ?tls=off behind it "
              "where you like");
}

Result<unsigned> PortOf(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0 || port > 65535)
    return Wrong("has a port that is no number from 1 to 65535");
  return port;
}

Result<void> ReadOptions(std::string_view options, Address& address) {
  while (!options.empty()) {
    const auto end = std::min(options.find('&'), options.size());
    const auto option = options.substr(0, end);
    options.remove_prefix(std::min(end + 1, options.size()));
    const auto name = option.substr(0, option.find('='));
    if (option == "tls=off") {
      address.tls = Address::Tls::kOff;
    } else if (option == "tls=verify") {
      address.tls = Address::Tls::kVerified;
    } else if (option.starts_with("ca=")) {
      address.tls = Address::Tls::kVerified;
      address.authority = option.substr(3);
    } else {
      return Wrong(fmt::format("has the option '{}', which is not known", name));
    }
  }
  return {};
}

}  // namespace

Result<Address> Address::Parse(std::string_view url) {
  if (!url.starts_with(kScheme)) return Wrong("does not begin with mysql://");
  auto rest = url.substr(kScheme.size());
  Address address;
  if (const auto options = rest.find('?'); options != std::string_view::npos) {
    PATRA_TRY(ReadOptions(rest.substr(options + 1), address));
    rest = rest.substr(0, options);
  }
  const auto slash = rest.find('/');
  if (slash == std::string_view::npos || slash + 1 == rest.size())
    return Wrong("names no database");
  address.database = rest.substr(slash + 1);
  if (address.database.find('/') != std::string::npos) return Wrong("names more than a database");
  auto authority = rest.substr(0, slash);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const auto user = authority.substr(0, at);
    if (user.find(':') != std::string_view::npos) {
      return Fail(ErrorCode::kInvalidInput, "the address of the database holds a password", {},
                  "others on this machine could read it: set PATRA_DATABASE_PASSWORD, or "
                  "PATRA_DATABASE_PASSWORD_FILE with a file's name, and leave it out");
    }
    address.user = user;
    authority.remove_prefix(at + 1);
  }
  // [::1]:3306
  const auto bracket = authority.rfind(']');
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    address.port = PATRA_TRY(PortOf(authority.substr(colon + 1)));
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[') && authority.ends_with(']'))
    authority = authority.substr(1, authority.size() - 2);
  if (authority.empty()) return Wrong("names no host");
  address.host = authority;
  return address;
}

std::string Address::Describe() const {
  const bool has_colons = host.find(':') != std::string::npos;
  return fmt::format("mysql://{}{}{}{}{}:{}/{}", user, user.empty() ? "" : "@",
                     has_colons ? "[" : "", host, has_colons ? "]" : "", port, database);
}

}  // namespace patra::infra::mysql
