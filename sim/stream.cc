#include "sim/stream.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

namespace patra::sim {
namespace {

constexpr std::size_t kPiecesMax = 8;

class PlainStream final : public Stream {
 public:
  using Stream::Stream;

  long Read(char* buffer, std::size_t size) override {
    while (true) {
      const auto got = ::recv(socket_, buffer, size, 0);
      if (got >= 0 || errno != EINTR) return got;
    }
  }

  bool Write(std::span<const std::string_view> pieces) override {
    PATRA_ASSERT(pieces.size() <= kPiecesMax);
    std::array<iovec, kPiecesMax> vectors{};
    std::size_t left = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      vectors[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
      left += pieces[i].size();
    }
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = pieces.size();
    while (left > 0) {
      const auto sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      left -= static_cast<std::size_t>(sent);
      Skip(message, static_cast<std::size_t>(sent));
    }
    return true;
  }

 private:
  static void Skip(msghdr& message, std::size_t bytes) {
    while (bytes > 0) {
      auto& first = *message.msg_iov;
      const auto part = std::min(bytes, first.iov_len);
      first.iov_base = static_cast<char*>(first.iov_base) + part;
      first.iov_len -= part;
      bytes -= part;
      if (first.iov_len == 0) {
        ++message.msg_iov;
        --message.msg_iovlen;
      }
    }
  }
};

template <auto kFree>
struct Freer {
  template <typename T>
  void operator()(T* thing) const {
    kFree(thing);
  }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using CertificatePointer = std::unique_ptr<X509, Freer<X509_free>>;
using ContextPointer = std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>>;
using SessionPointer = std::unique_ptr<SSL, Freer<SSL_free>>;

class TlsStream final : public Stream {
 public:
  TlsStream(int socket, SessionPointer session) : Stream(socket), session_(std::move(session)) {}

  long Read(char* buffer, std::size_t size) override {
    ERR_clear_error();
    const int most = static_cast<int>(std::min<std::size_t>(size, 1u << 20));
    const int got = SSL_read(session_.get(), buffer, most);
    if (got > 0) return got;
    return SSL_get_error(session_.get(), got) == SSL_ERROR_ZERO_RETURN ? 0 : -1;
  }

  bool Write(std::span<const std::string_view> pieces) override {
    for (auto piece : pieces) {
      while (!piece.empty()) {
        ERR_clear_error();
        const int most = static_cast<int>(std::min<std::size_t>(piece.size(), 1u << 20));
        const int sent = SSL_write(session_.get(), piece.data(), most);
        if (sent <= 0) return false;
        piece.remove_prefix(static_cast<std::size_t>(sent));
      }
    }
    return true;
  }

  void FinishPolitely() override { SSL_shutdown(session_.get()); }

 private:
  SessionPointer session_;
};

bool AddExtension(X509* certificate, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

CertificatePointer SelfSign(EVP_PKEY* key) {
  constexpr long kWeek = 7L * 24 * 3600;
  CertificatePointer certificate(X509_new());
  if (!certificate) return nullptr;
  auto* name = X509_get_subject_name(certificate.get());
  const auto* common_name = reinterpret_cast<const unsigned char*>("patra-sim");
  const bool filled =
      X509_set_version(certificate.get(), 2) == 1 &&
      ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1) == 1 &&
      X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kWeek) != nullptr &&
      X509_set_pubkey(certificate.get(), key) == 1 &&
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1 &&
      X509_set_issuer_name(certificate.get(), name) == 1 &&
      AddExtension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE") &&
      AddExtension(certificate.get(), NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1") &&
      X509_sign(certificate.get(), key, EVP_sha256()) > 0;
  return filled ? std::move(certificate) : nullptr;
}

std::string PrintPem(X509* certificate) {
  const std::unique_ptr<BIO, Freer<BIO_vfree>> memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509(memory.get(), certificate) != 1) return {};
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

Stream::~Stream() {
  if (socket_ >= 0) ::close(socket_);
}

void Stream::Shutdown() { ::shutdown(socket_, SHUT_RDWR); }

void Stream::CloseWithReset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

std::unique_ptr<Stream> MakePlainStream(int socket) {
  return std::make_unique<PlainStream>(socket);
}

struct TlsIdentity::Parts {
  ContextPointer context;
  std::string certificate;
};

TlsIdentity::TlsIdentity(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TlsIdentity::~TlsIdentity() = default;

const std::string& TlsIdentity::certificate() const { return parts_->certificate; }

Result<std::unique_ptr<TlsIdentity>> TlsIdentity::Make() {
  const KeyPointer key(EVP_EC_gen("P-256"));
  const auto certificate = key ? SelfSign(key.get()) : nullptr;
  auto parts = std::make_unique<Parts>();
  parts->context.reset(SSL_CTX_new(TLS_server_method()));
  auto* context = parts->context.get();
  const bool ready = certificate && context &&
                     SSL_CTX_use_certificate(context, certificate.get()) == 1 &&
                     SSL_CTX_use_PrivateKey(context, key.get()) == 1;
  if (!ready) return Fail(ErrorCode::kInternal, "OpenSSL cannot make a certificate");
  SSL_CTX_set_mode(context, SSL_MODE_AUTO_RETRY);
  parts->certificate = PrintPem(certificate.get());
  return std::unique_ptr<TlsIdentity>(new TlsIdentity(std::move(parts)));
}

std::unique_ptr<Stream> TlsIdentity::Accept(int socket) const {
  SessionPointer session(SSL_new(parts_->context.get()));
  if (!session || SSL_set_fd(session.get(), socket) != 1 || SSL_accept(session.get()) != 1) {
    return nullptr;
  }
  return std::make_unique<TlsStream>(socket, std::move(session));
}

}  // namespace patra::sim
