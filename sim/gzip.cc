#include "sim/gzip.h"

#include <zlib.h>

#include "base/result.h"

namespace patra::sim {

std::string Gzip(std::string_view plain) {
  constexpr int kGzipFraming = 15 + 16;
  z_stream stream{};
  PATRA_ASSERT(deflateInit2(&stream, 1, Z_DEFLATED, kGzipFraming, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, static_cast<uLong>(plain.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  PATRA_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace patra::sim
