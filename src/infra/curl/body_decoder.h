// Unpacks a body while it arrives. libcurl could do that as well, but does not tell a packed body that
// was cut from a whole one, and half a page must never pass for a page.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::infra::curl {

// What DecoderFor understands, for the request's Accept-Encoding.
inline constexpr std::string_view kAcceptedEncodings = "gzip, br, zstd";

class BodyDecoder {
 public:
  virtual ~BodyDecoder() = default;

  // Appends what `packed` unpacks to. kLimit where `body` would become larger than `bytes_max`,
  // kUnavailable where the bytes are not what they should be.
  virtual Result<void> Append(std::string_view packed, std::string& body,
                              std::size_t bytes_max) = 0;

  // The body is over: kUnavailable where its packing is not.
  virtual Result<void> Finish() = 0;
};

// By the header's value. One encoding at most: several are how small bodies become huge ones.
Result<std::unique_ptr<BodyDecoder>> DecoderFor(std::string_view content_encoding);

}  // namespace patra::infra::curl
