// Which network addresses a request may connect to. A definition, a redirect or a name server can point
// anywhere; only the address that is really connected to tells where a request goes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct sockaddr;

namespace patra::infra::curl {

class AddressPolicy {
 public:
  // `networks` are allowed whatever they are: "10.1.0.0/16", "fd00::/8", "192.168.1.7".
  static Result<AddressPolicy> Create(bool allow_loopback,
                                      const std::vector<std::string>& networks);

  // Public addresses, and what was allowed. Families other than IPv4 and IPv6 never are.
  bool Allows(const sockaddr& address) const;

  // The same for a URL's host; names, which say nothing before they are looked up, pass.
  bool AllowsHost(std::string_view host) const;
  // kInvalidInput, with what to do, where it does not.
  Result<void> Check(const std::string& host) const;

 private:
  // IPv4 is what it is inside IPv6: ::ffff:a.b.c.d.
  using Address = std::array<std::uint8_t, 16>;
  struct Network {
    Address address;
    int bits;

    bool Contains(const Address& other) const;
  };

  static Result<Network> Parse(std::string_view text);
  bool Allows(const Address& address) const;

  std::vector<Network> allowed_;
};

}  // namespace patra::infra::curl
