#include "infra/curl/body_decoder.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <array>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text_scanner.h"

namespace patra::infra::curl {
namespace {

constexpr std::size_t kPieceBytes = 32u << 10;
using Piece = std::array<char, kPieceBytes>;

std::unexpected<Error> Broken(std::string_view encoding) {
  return Fail(ErrorCode::kUnavailable, fmt::format("the body is no valid {}", encoding));
}

std::unexpected<Error> Cut(std::string_view encoding) {
  return Fail(ErrorCode::kUnavailable, fmt::format("the {} body was cut off", encoding));
}

Result<void> AppendWithin(std::string_view bytes, std::string& body, const BodyLimit& limit) {
  if (bytes.size() > limit.bytes_max - std::min(limit.bytes_max, body.size())) {
    return Fail(ErrorCode::kLimit,
                fmt::format("the response's body is larger than {} bytes", limit.bytes_max));
  }
  if (limit.share != nullptr) PATRA_TRY(limit.share->Grow(bytes.size()));
  body.append(bytes);
  return {};
}

class Plain final : public BodyDecoder {
 public:
  Result<void> Append(std::string_view packed, std::string& body, const BodyLimit& limit) override {
    return AppendWithin(packed, body, limit);
  }
  Result<void> Finish() override { return {}; }
};

// gzip, also several members one after the other, and zlib ("deflate").
class Gzip final : public BodyDecoder {
 public:
  Gzip() {
    constexpr int kWindowBits = 15;
    constexpr int kEitherHeader = 32;
    is_ready_ = inflateInit2(&stream_, kWindowBits + kEitherHeader) == Z_OK;
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Result<void> Append(std::string_view packed, std::string& body, const BodyLimit& limit) override {
    if (!is_ready_) return Broken("gzip");
    // zlib does not write through next_in.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    Piece piece;
    while (true) {
      if (is_at_end_ && stream_.avail_in > 0) {
        if (inflateReset(&stream_) != Z_OK) return Broken("gzip");
        is_at_end_ = false;
      }
      if (is_at_end_) return {};
      has_begun_ = has_begun_ || stream_.avail_in > 0;
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = kPieceBytes;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_BUF_ERROR) return {};  // everything is used up
      if (code != Z_OK && code != Z_STREAM_END) return Broken("gzip");
      PATRA_TRY(AppendWithin({piece.data(), kPieceBytes - stream_.avail_out}, body, limit));
      is_at_end_ = code == Z_STREAM_END;
    }
  }

  Result<void> Finish() override {
    if (has_begun_ && !is_at_end_) return Cut("gzip");
    return {};
  }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
  bool has_begun_ = false;
  bool is_at_end_ = false;
};

class Brotli final : public BodyDecoder {
 public:
  ~Brotli() override { BrotliDecoderDestroyInstance(state_); }
  Brotli() = default;
  Brotli(const Brotli&) = delete;
  Brotli& operator=(const Brotli&) = delete;

  Result<void> Append(std::string_view packed, std::string& body, const BodyLimit& limit) override {
    if (state_ == nullptr) return Broken("brotli");
    has_begun_ = has_begun_ || !packed.empty();
    auto left = packed.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(packed.data());
    Piece piece;
    while (true) {
      auto room = kPieceBytes;
      auto* out = reinterpret_cast<std::uint8_t*>(piece.data());
      const auto code = BrotliDecoderDecompressStream(state_, &left, &next, &room, &out, nullptr);
      PATRA_TRY(AppendWithin({piece.data(), kPieceBytes - room}, body, limit));
      if (code == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) return {};
      if (code == BROTLI_DECODER_RESULT_ERROR) return Broken("brotli");
      if (code == BROTLI_DECODER_RESULT_SUCCESS && left > 0) return Broken("brotli");
      if (code == BROTLI_DECODER_RESULT_SUCCESS) return {};
    }
  }

  Result<void> Finish() override {
    if (has_begun_ && BrotliDecoderIsFinished(state_) == BROTLI_FALSE) return Cut("brotli");
    return {};
  }

 private:
  BrotliDecoderState* state_ = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  bool has_begun_ = false;
};

class Zstandard final : public BodyDecoder {
 public:
  ~Zstandard() override { ZSTD_freeDStream(stream_); }
  Zstandard() = default;
  Zstandard(const Zstandard&) = delete;
  Zstandard& operator=(const Zstandard&) = delete;

  Result<void> Append(std::string_view packed, std::string& body, const BodyLimit& limit) override {
    if (stream_ == nullptr) return Broken("zstd");
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    Piece piece;
    // A full piece may be followed by more, also when all input is taken.
    for (bool may_have_more = false; in.pos < in.size || may_have_more;) {
      ZSTD_outBuffer out{piece.data(), kPieceBytes, 0};
      missing_ = ZSTD_decompressStream(stream_, &out, &in);
      if (ZSTD_isError(missing_) != 0) return Broken("zstd");
      PATRA_TRY(AppendWithin({piece.data(), out.pos}, body, limit));
      may_have_more = out.pos == kPieceBytes && missing_ > 0;
    }
    return {};
  }

  Result<void> Finish() override {
    if (missing_ > 0) return Cut("zstd");
    return {};
  }

 private:
  ZSTD_DStream* stream_ = ZSTD_createDStream();
  std::size_t missing_ = 0;  // what the frame still wants
};

}  // namespace

bool BodyRoom::Take(std::size_t bytes) {
  auto taken = taken_.load();
  do {
    if (bytes > bytes_max_ - std::min(bytes_max_, taken)) return false;
  } while (!taken_.compare_exchange_weak(taken, taken + bytes));
  return true;
}

Result<void> BodyShare::Grow(std::size_t bytes) {
  if (!room_->Take(bytes)) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("the pages under way have {} MiB already", room_->bytes_max() >> 20),
                {}, "fewer tasks at a time, or smaller pages, need less");
  }
  bytes_ += bytes;
  return {};
}

Result<std::unique_ptr<BodyDecoder>> DecoderFor(std::string_view content_encoding) {
  const auto encoding = Trim(content_encoding);
  const auto is = [&](std::string_view name) { return EqualIgnoringCase(encoding, name); };
  if (encoding.empty() || is("identity")) return std::make_unique<Plain>();
  if (is("gzip") || is("x-gzip") || is("deflate")) return std::make_unique<Gzip>();
  if (is("br")) return std::make_unique<Brotli>();
  if (is("zstd")) return std::make_unique<Zstandard>();
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("the body is packed as {}, which nobody asked for", Quote(encoding)), {},
              "try http.compression: false");
}

}  // namespace patra::infra::curl
