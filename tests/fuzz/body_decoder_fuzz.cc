// Packed bodies from anybody, in pieces of any size: unpacking stays within its bound and ends.
// The first byte chooses the packing, the second the size of the pieces.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "infra/curl/body_decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace patra;
  if (size < 2) return 0;
  constexpr std::string_view kEncodings[] = {"gzip", "br", "zstd", "deflate", "identity"};
  constexpr std::size_t kBytesMax = 1u << 20;
  auto decoder = *infra::curl::DecoderFor(kEncodings[bytes[0] % std::size(kEncodings)]);
  const std::size_t piece = bytes[1] + 1u;
  const std::string_view packed(reinterpret_cast<const char*>(bytes) + 2, size - 2);
  std::string body;
  for (std::size_t from = 0; from < packed.size(); from += piece) {
    if (!decoder->Append(packed.substr(from, piece), body, {kBytesMax})) return 0;
    PATRA_ASSERT(body.size() <= kBytesMax);
  }
  static_cast<void>(decoder->Finish());
  return 0;
}
