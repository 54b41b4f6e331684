#pragma once

#include "domain/spec/check_subject.h"

namespace patra::domain {

// Check 6: sizes, rates and retries stay within what provider and platform allow.
void CheckLimits(const CheckSubject& on);

// What patra allows itself leaves room for work.
void CheckBudget(const CheckSubject& on);

}  // namespace patra::domain
