#include "base/certificate.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>
#include <limits>
#include <memory>
#include <string>

namespace patra {
namespace {

struct Frees {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Bio = std::unique_ptr<BIO, Frees>;
using Certificate = std::unique_ptr<X509, Frees>;
using Key = std::unique_ptr<EVP_PKEY, Frees>;

std::unexpected<Error> NoPem(const char* what) {
  ERR_clear_error();
  return Fail(ErrorCode::kInvalidInput, std::string("there is no ") + what + " in PEM in it");
}

Bio Reading(std::string_view text) {
  if (text.size() > std::numeric_limits<int>::max()) return nullptr;
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Result<Certificate> ReadCertificate(std::string_view pem) {
  const auto text = Reading(pem);
  Certificate certificate(text ? PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr)
                               : nullptr);
  if (!certificate) return NoPem("certificate");
  return certificate;
}

// Nobody is asked for a passphrase.
int NoPassphrase(char*, int, int, void*) { return 0; }

Result<Instant> TimeOf(const ASN1_TIME* time) {
  tm fields{};
  if (ASN1_TIME_to_tm(time, &fields) != 1) return NoPem("certificate whose time can be read");
  return Instant(std::chrono::seconds(timegm(&fields)));
}

}  // namespace

Result<CertificateLife> LifeOfCertificate(std::string_view pem) {
  const auto certificate = PATRA_TRY(ReadCertificate(pem));
  return CertificateLife{.begins = PATRA_TRY(TimeOf(X509_get0_notBefore(certificate.get()))),
                         .ends = PATRA_TRY(TimeOf(X509_get0_notAfter(certificate.get())))};
}

Result<bool> IsKeyOf(std::string_view key_pem, std::string_view certificate_pem) {
  const auto certificate = PATRA_TRY(ReadCertificate(certificate_pem));
  const auto text = Reading(key_pem);
  const Key key(text ? PEM_read_bio_PrivateKey(text.get(), nullptr, &NoPassphrase, nullptr)
                     : nullptr);
  if (!key) return NoPem("private key without a passphrase");
  const bool fits = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  return fits;
}

}  // namespace patra
