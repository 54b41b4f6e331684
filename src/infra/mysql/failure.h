// What a number that the server or the client library reports means to us.
#pragma once

#include <string_view>

#include "base/result.h"

namespace patra::infra::mysql {

enum class Fate {
  kNone,         // the statement alone failed
  kRunAgain,     // the transaction is undone, or has to be: another was in its way
  kDisconnected  // nobody knows what became of the last statement
};

struct Failure {
  Fate fate = Fate::kNone;
  Error error;
};

Failure FailureFrom(unsigned number, std::string_view said, std::string_view doing);

// There is such a row already.
bool IsDuplicate(unsigned number);

}  // namespace patra::infra::mysql
