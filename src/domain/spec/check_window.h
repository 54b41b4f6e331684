#pragma once

#include "domain/spec/check_subject.h"

namespace patra::domain {

// Check 3: windows fit the provider's filter and order, and the request says what the definition says of them.
void CheckWindow(const CheckSubject& on);

}  // namespace patra::domain
