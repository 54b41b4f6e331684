// SHA-256 and HMAC-SHA-256, by OpenSSL. Where people may read them, digests are lower-case hex; those of records, of which
// there are millions, are bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace patra {

using Sha256Digest = std::array<std::uint8_t, 32>;

Sha256Digest Sha256(std::string_view bytes);
std::string Sha256Hex(std::string_view bytes);

Sha256Digest HmacSha256(std::string_view key, std::string_view bytes);
std::string HmacSha256Hex(std::string_view key, std::string_view bytes);

// Whether two secrets are equal, in a time that does not tell where they differ.
bool EqualInConstantTime(std::string_view a, std::string_view b);

// SHA-256 over pieces that arrive one after the other. Not thread-safe.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void Append(std::string_view bytes);
  std::string FinishHex();  // the stream is empty afterwards and can be used again

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string ToHex(const std::uint8_t* bytes, std::size_t size);
std::string ToHex(const Sha256Digest& digest);
// Nothing where it is not 64 hex digits.
std::optional<Sha256Digest> DigestFromHex(std::string_view hex);

}  // namespace patra
