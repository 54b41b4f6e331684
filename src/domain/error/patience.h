// How long a request waits for a byte. A provider that takes connections and never answers them cannot be told from a slow
// one but by what it usually takes. Waiting as long as the definition allows would mean to sit through the whole of a short
// outage, and long after it.
#pragma once

#include <optional>

#include "base/time.h"

namespace patra::domain {

// What the answers of an endpoint took.
struct AnswerTimes {
  int answers = 0;
  Duration slowest{};  // to its last byte
  int in_vain = 0;     // waits since the last answer, one after the other
};

// Many times what an answer ever took, so that a slow one is hardly ever given up; and more with each wait that was in vain,
// so that a provider that has become slow is waited for in the end. Never more than the definition says.
Duration PatienceFor(const AnswerTimes& times, Duration declared);

}  // namespace patra::domain
