// Unpacks a body while it arrives. libcurl could do that as well, but does not tell a packed body that
// was cut from a whole one, and half a page must never pass for a page.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::infra::curl {

// What DecoderFor understands, for the request's Accept-Encoding.
inline constexpr std::string_view kAcceptedEncodings = "gzip, br, zstd";

// How much memory the bodies of all answers may take that somebody still holds. Thread-safe.
class BodyRoom {
 public:
  explicit BodyRoom(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  bool Take(std::size_t bytes);
  void GiveBack(std::size_t bytes) { taken_ -= bytes; }
  std::size_t bytes_max() const { return bytes_max_; }

 private:
  const std::size_t bytes_max_;
  std::atomic<std::size_t> taken_{0};
};

// What one body has taken of it, given back when the last who holds it lets go.
class BodyShare {
 public:
  explicit BodyShare(std::shared_ptr<BodyRoom> room) : room_(std::move(room)) {}
  ~BodyShare() { room_->GiveBack(bytes_); }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;

  // kExhausted where others have taken it all.
  Result<void> Grow(std::size_t bytes);

 private:
  const std::shared_ptr<BodyRoom>
      room_;  // shared with the transport, which may end before its answers
  std::size_t bytes_ = 0;
};

// How large a body may become: each piece is asked for before it is taken.
struct BodyLimit {
  std::size_t bytes_max = 0;
  BodyShare* share = nullptr;  // null: there are no others
};

class BodyDecoder {
 public:
  virtual ~BodyDecoder() = default;

  // Appends what `packed` unpacks to. kLimit where `body` would become larger than allowed, kExhausted where all bodies
  // together would, kUnavailable where the bytes are not what they should be.
  virtual Result<void> Append(std::string_view packed, std::string& body,
                              const BodyLimit& limit) = 0;

  // The body is over: kUnavailable where its packing is not.
  virtual Result<void> Finish() = 0;
};

// By the header's value. One encoding at most: several are how small bodies become huge ones.
Result<std::unique_ptr<BodyDecoder>> DecoderFor(std::string_view content_encoding);

}  // namespace patra::infra::curl
