#include "infra/curl/address_policy.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/text_scanner.h"

namespace patra::infra::curl {
namespace {

using Address = std::array<std::uint8_t, 16>;

Address Embedded(const std::uint8_t* ipv4) {
  Address address{};
  address[10] = address[11] = 0xFF;
  std::memcpy(&address[12], ipv4, 4);
  return address;
}

std::optional<Address> AddressFromText(const std::string& text) {
  Address address{};
  if (inet_pton(AF_INET6, text.c_str(), address.data()) == 1) return address;
  std::array<std::uint8_t, 4> ipv4{};
  if (inet_pton(AF_INET, text.c_str(), ipv4.data()) == 1) return Embedded(ipv4.data());
  return std::nullopt;
}

// The registries of special-purpose addresses (IANA), and what clouds use for their metadata, which lies
// in 169.254/16, 100.64/10 and fc00::/7.
constexpr auto kNotPublic = std::to_array<std::string_view>(
    {"0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
     "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
     "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
     "::/96",         "100::/64",        "64:ff9b:1::/48", "2001::/23",      "2001:db8::/32",
     "3fff::/20",     "5f00::/16",       "fc00::/7",       "fe80::/10",      "fec0::/10",
     "ff00::/8"});

}  // namespace

bool AddressPolicy::Network::Contains(const Address& other) const {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (!std::equal(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(whole),
                  other.begin()))
    return false;
  if (bits % 8 == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xFF << (8 - bits % 8));
  return (address[whole] & mask) == (other[whole] & mask);
}

Result<AddressPolicy::Network> AddressPolicy::Parse(std::string_view text) {
  const auto slash = std::min(text.find('/'), text.size());
  const std::string address_text(text.substr(0, slash));
  const auto address = AddressFromText(address_text);
  const bool is_ipv6 = address_text.find(':') != std::string::npos;
  const int bits_max = is_ipv6 ? 128 : 32;
  int bits = bits_max;
  bool is_sound = address.has_value();
  if (slash < text.size()) {
    const auto* end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(text.data() + slash + 1, end, bits);
    is_sound = is_sound && problem == std::errc() && rest == end && bits >= 0 && bits <= bits_max;
  }
  if (!is_sound) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no network address", text), {},
                "write it as 10.1.0.0/16, fd00::/8 or 192.168.1.7");
  }
  return Network{*address, is_ipv6 ? bits : bits + 96};
}

Result<AddressPolicy> AddressPolicy::Create(bool allow_loopback,
                                            const std::vector<std::string>& networks) {
  AddressPolicy policy;
  for (const auto& network : networks) policy.allowed_.push_back(PATRA_TRY(Parse(network)));
  if (allow_loopback) {
    policy.allowed_.push_back(PATRA_TRY(Parse("127.0.0.0/8")));
    policy.allowed_.push_back(PATRA_TRY(Parse("::1")));
  }
  return policy;
}

bool AddressPolicy::Allows(const Address& address) const {
  static const auto not_public = [] {
    std::vector<Network> networks;
    for (const auto text : kNotPublic) networks.push_back(*Parse(text));
    return networks;
  }();
  static const auto translated = *Parse("64:ff9b::/96");
  static const auto six_to_four = *Parse("2002::/16");

  const auto contains = [&](const Network& network) { return network.Contains(address); };
  if (std::ranges::any_of(allowed_, contains)) return true;
  if (std::ranges::any_of(not_public, contains)) return false;
  // These carry an IPv4 address, which is where the packets end.
  if (translated.Contains(address)) return Allows(Embedded(&address[12]));
  if (six_to_four.Contains(address)) return Allows(Embedded(&address[2]));
  return true;
}

bool AddressPolicy::Allows(const sockaddr& address) const {
  if (address.sa_family == AF_INET) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, &address, sizeof ipv4);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &ipv4.sin_addr, bytes.size());
    return Allows(Embedded(bytes.data()));
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, &address, sizeof ipv6);
    Address bytes{};
    std::memcpy(bytes.data(), &ipv6.sin6_addr, bytes.size());
    return Allows(bytes);
  }
  return false;
}

bool AddressPolicy::AllowsHost(std::string_view host) const {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto address = AddressFromText(std::string(host.substr(0, host.find('%'))));
  return !address || Allows(*address);
}

Result<void> AddressPolicy::Check(const std::string& host) const {
  // RFC 6761: that name is this machine everywhere.
  if (AllowsHost(EqualIgnoringCase(host, "localhost") ? "127.0.0.1" : host)) return {};
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("{} is a private, local or reserved address", host), {},
              "if that is meant, allow the network, or --allow-loopback for this machine");
}

}  // namespace patra::infra::curl
