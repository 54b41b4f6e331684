#include "base/base64.h"

#include <algorithm>
#include <cstdint>

#include <openssl/evp.h>

namespace patra {

std::string Base64(std::string_view bytes) {
  // The library counts in int: it gets pieces, each of whole groups of three bytes but the last.
  constexpr std::size_t kPiece = 3u << 20;
  std::string text;
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    const auto start = text.size();
    text.resize(start + (piece.size() + 2) / 3 * 4 + 1);  // it writes a NUL behind the text
    const int written = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + start),
                                        reinterpret_cast<const unsigned char*>(piece.data()),
                                        static_cast<int>(piece.size()));
    text.resize(start + static_cast<std::size_t>(written));
  }
  return text;
}

std::string Base64Url(std::string_view bytes) {
  auto text = Base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (auto rest = text; !rest.empty();) {
    const auto piece = rest.substr(0, kPiece);
    rest.remove_prefix(piece.size());
    const auto start = bytes.size();
    bytes.resize(start + piece.size() / 4 * 3);
    const int written = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data() + start),
                                        reinterpret_cast<const unsigned char*>(piece.data()),
                                        static_cast<int>(piece.size()));
    if (written < 0) return std::nullopt;
    bytes.resize(start + static_cast<std::size_t>(written));
  }
  // The library counts what stands for nothing as zeros.
  const auto padding = text.size() - text.find_last_not_of('=') - 1;
  if (!text.empty()) bytes.resize(bytes.size() - std::min<std::size_t>(padding, 2));
  // One text for the same bytes: the library takes blanks about it, and what is left over, too.
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

std::optional<std::string> FromBase64Url(std::string_view text) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const auto digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  // One text for the same bytes: what is left over is zero.
  if (Base64Url(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace patra
