// Certificates for tests, each with a key of its own that nobody else has.
#pragma once

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <chrono>
#include <string>

#include "base/time.h"

namespace patra::testing {

struct MadeCertificate {
  std::string certificate;  // PEM, signed by itself
  std::string key;          // PEM
};

inline std::string TakeText(BIO* bio) {
  char* text = nullptr;
  const auto size = BIO_get_mem_data(bio, &text);
  std::string taken(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  return taken;
}

inline MadeCertificate MakeCertificate(Instant begins, Instant ends) {
  const auto seconds = [](Instant moment) {
    return static_cast<time_t>(moment.time_since_epoch() / std::chrono::seconds(1));
  };
  auto* key = EVP_EC_gen("P-256");
  auto* certificate = X509_new();
  ASN1_TIME_set(X509_getm_notBefore(certificate), seconds(begins));
  ASN1_TIME_set(X509_getm_notAfter(certificate), seconds(ends));
  X509_set_pubkey(certificate, key);
  X509_sign(certificate, key, EVP_sha256());
  auto* shown = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(shown, certificate);
  auto* secret = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(secret, key, nullptr, nullptr, 0, nullptr, nullptr);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return {.certificate = TakeText(shown), .key = TakeText(secret)};
}

}  // namespace patra::testing
