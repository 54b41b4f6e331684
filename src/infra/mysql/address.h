// mysql://USER@HOST:PORT/DATABASE, and how it is reached.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::infra::mysql {

struct Address {
  enum class Tls {
    kIfOffered,  // encrypted where the server can, without looking at its certificate
    kOff,
    kVerified  // by a certificate that is valid for the host
  };

  std::string user;
  std::string password;  // never part of a text that is shown
  std::string host;
  unsigned port = 3306;
  std::string database;
  Tls tls = Tls::kIfOffered;
  std::string
      authority;  // a file with the certificates that are trusted; the system's where it is empty

  // `?tls=off|verify` and `?ca=FILE` may follow. A password in it is refused: it would stand in lists of processes.
  static Result<Address> Parse(std::string_view url);

  // As it was given, for people: mysql://patra@db.example.org:3306/patra
  std::string Describe() const;
};

}  // namespace patra::infra::mysql
