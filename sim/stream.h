// A connected byte stream, plain or TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::sim {

// Used by one thread, except for Shutdown, which any thread may call to wake that one.
class Stream {
 public:
  explicit Stream(int socket) : socket_(socket) {}
  virtual ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Bytes read, 0 at the end of the stream, -1 on failure or time-out.
  virtual long Read(char* buffer, std::size_t size) = 0;

  // Whether all pieces went out.
  virtual bool Write(std::span<const std::string_view> pieces) = 0;

  // Ends the TLS session properly where there is one, so that a peer can tell an end from a cut.
  virtual void FinishPolitely() {}

  void Shutdown();
  void CloseWithReset();  // the peer sees ECONNRESET

 protected:
  int socket_;
};

std::unique_ptr<Stream> MakePlainStream(int socket);

// A self-signed certificate for localhost and 127.0.0.1 that exists only in this process.
class TlsIdentity {
 public:
  static Result<std::unique_ptr<TlsIdentity>> Make();
  ~TlsIdentity();

  // Shakes hands and takes the socket over; null if that fails, and the socket stays the caller's.
  std::unique_ptr<Stream> Accept(int socket) const;

  // PEM, for clients that want to verify instead of looking away.
  const std::string& certificate() const;

 private:
  struct Parts;
  explicit TlsIdentity(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace patra::sim
