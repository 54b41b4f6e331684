#include "base/base64.h"

#include <algorithm>

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

}  // namespace patra
