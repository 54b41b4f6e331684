// The gzip bomb costs milliseconds, not seconds: one megabyte is compressed up to a full flush,
// which makes its bytes independent of what comes before, and is then repeated.
#include "sim/bombs.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "base/result.h"

namespace patra::sim {
namespace {

constexpr std::size_t kMegabyte = 1u << 20;

std::string CompressOneMegabyte(const std::string& plain) {
  z_stream stream{};
  constexpr int kRawDeflate = -15;
  PATRA_ASSERT(deflateInit2(&stream, 9, Z_DEFLATED, kRawDeflate, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(kMegabyte, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  PATRA_ASSERT(deflate(&stream, Z_FULL_FLUSH) == Z_OK && stream.avail_in == 0);
  packed.erase(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

void AppendLittleEndian(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(number >> shift & 0xff);
}

}  // namespace

std::string GzipBomb(std::int64_t megabytes) {
  constexpr std::int64_t kMegabytesMax = 65'536;
  constexpr std::string_view kHeader{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03", 10};
  constexpr std::string_view kLastBlock{"\x03\x00", 2};
  megabytes = std::clamp<std::int64_t>(megabytes, 1, kMegabytesMax);
  const std::string plain(kMegabyte, ' ');
  const auto packed = CompressOneMegabyte(plain);
  const auto one = crc32(0, reinterpret_cast<const Bytef*>(plain.data()), kMegabyte);
  std::string bomb(kHeader);
  auto checksum = crc32(0, nullptr, 0);
  for (std::int64_t i = 0; i < megabytes; ++i) {
    bomb += packed;
    checksum = crc32_combine(checksum, one, static_cast<z_off_t>(kMegabyte));
  }
  bomb += kLastBlock;
  AppendLittleEndian(bomb, checksum);
  AppendLittleEndian(bomb, static_cast<std::uint64_t>(megabytes) * kMegabyte);
  return bomb;
}

std::string DeepJson(std::int64_t depth) {
  constexpr std::int64_t kDepthMax = 50'000'000;
  const auto levels = static_cast<std::size_t>(std::clamp<std::int64_t>(depth, 1, kDepthMax));
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string EntityBomb() {
  std::string bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE r [\n<!ENTITY e0 \"ha\">\n";
  constexpr int kLevels = 30;
  for (int i = 1; i <= kLevels; ++i) {
    const auto before = std::to_string(i - 1);
    bomb += "<!ENTITY e" + std::to_string(i) + " \"&e" + before + ";&e" + before + ";\">\n";
  }
  return bomb + "]>\n<r>&e" + std::to_string(kLevels) + ";</r>\n";
}

}  // namespace patra::sim
