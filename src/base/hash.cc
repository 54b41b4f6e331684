#include "base/hash.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/result.h"

namespace patra {

struct Sha256Stream::Context {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  Context() {
    PATRA_ASSERT(context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1);
  }
  ~Context() { EVP_MD_CTX_free(context); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Sha256Stream::Sha256Stream() : context_(std::make_unique<Context>()) {}
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::Append(std::string_view bytes) {
  PATRA_ASSERT(EVP_DigestUpdate(context_->context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256Stream::FinishHex() {
  Sha256Digest digest;
  PATRA_ASSERT(EVP_DigestFinal_ex(context_->context, digest.data(), nullptr) == 1);
  PATRA_ASSERT(EVP_DigestInit_ex(context_->context, EVP_sha256(), nullptr) == 1);
  return ToHex(digest.data(), digest.size());
}

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  PATRA_ASSERT(
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

std::string Sha256Hex(std::string_view bytes) { return ToHex(Sha256(bytes)); }

Sha256Digest HmacSha256(std::string_view key, std::string_view bytes) {
  Sha256Digest digest;
  unsigned int size = 0;
  const auto* made = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                          reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                          digest.data(), &size);
  PATRA_ASSERT(made != nullptr && size == digest.size());
  return digest;
}

std::string HmacSha256Hex(std::string_view key, std::string_view bytes) {
  return ToHex(HmacSha256(key, bytes));
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string ToHex(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(size * 2, '0');
  for (std::size_t i = 0; i < size; ++i) {
    text[2 * i] = kDigits[bytes[i] >> 4];
    text[2 * i + 1] = kDigits[bytes[i] & 15];
  }
  return text;
}

std::string ToHex(const Sha256Digest& digest) { return ToHex(digest.data(), digest.size()); }

std::optional<Sha256Digest> DigestFromHex(std::string_view hex) {
  Sha256Digest digest;
  if (hex.size() != 2 * digest.size()) return std::nullopt;
  const auto value = [](char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
  };
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = value(hex[2 * i]);
    const int low = value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return digest;
}

}  // namespace patra
