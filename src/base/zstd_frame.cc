#include "base/zstd_frame.h"

#include <fmt/format.h>
#include <zstd.h>

namespace patra {

std::string Compress(std::string_view bytes) {
  std::string frame;
  frame.resize_and_overwrite(ZSTD_compressBound(bytes.size()), [&](char* target, std::size_t room) {
    const auto size = ZSTD_compress(target, room, bytes.data(), bytes.size(), 1);
    PATRA_ASSERT(!ZSTD_isError(size));
    return size;
  });
  return frame;
}

Result<std::string> Decompress(std::string_view frame, std::size_t bytes_max) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) {
    return Fail(ErrorCode::kCorruption, "a stored page is not a zstd frame");
  }
  if (size > bytes_max) {
    return Fail(ErrorCode::kLimit,
                fmt::format("a stored page of {} bytes is larger than {}", size, bytes_max));
  }
  std::string bytes(size, '\0');
  const auto written = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(written) || written != size) {
    return Fail(ErrorCode::kCorruption, "a stored page cannot be decompressed");
  }
  return bytes;
}

}  // namespace patra
