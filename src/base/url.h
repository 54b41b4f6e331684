// Web addresses, taken apart by libcurl's own parser: what is checked is then what is connected to. Two
// parsers that disagree about where the host ends are how a check is passed with one and a secret sent
// to another.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra {

inline constexpr std::size_t kUrlBytesMax = 64u << 10;

struct Url {
  std::string scheme;  // "http" or "https"
  std::string host;    // lower case; an IPv6 address has its brackets, 127.1 is 127.0.0.1
  int port = 0;        // always there
  std::string path;    // as written, at least "/"
  std::string query;   // as written, without '?'

  bool is_secure() const { return scheme == "https"; }

  std::string Origin()
      const;  // "https://api.example.org", with the port where it is not the usual one
  std::string WithoutQuery() const;
  std::string Text() const;

  friend bool operator==(const Url&, const Url&) = default;
};

// http and https only; visible ASCII only (CR, LF, NUL, blanks and other letters have to be encoded);
// without user and password. A fragment is dropped. No message repeats the address, which may hold a
// secret.
Result<Url> ParseUrl(std::string_view text);

// Whether it stands for itself; else it is relative to the address that it was found at.
bool HasScheme(std::string_view reference);

// What a reference found in an answer to `base` means (RFC 3986 §5), under the same rules.
Result<Url> ResolveUrl(const Url& base, std::string_view reference);

}  // namespace patra
