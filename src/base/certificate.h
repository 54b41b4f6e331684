// What a TLS certificate says about itself.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace patra {

struct CertificateLife {
  Instant begins{};
  Instant ends{};
};

// Of the first certificate in a PEM text.
Result<CertificateLife> LifeOfCertificate(std::string_view pem);

// Whether the private key in one PEM text is that of the first certificate in the other.
Result<bool> IsKeyOf(std::string_view key_pem, std::string_view certificate_pem);

}  // namespace patra
