// Whether the templates of a request name what there is, and say which page and which window they ask for.
#pragma once

#include "domain/spec/check_subject.h"

namespace patra::domain {

void CheckTemplates(const CheckSubject& on);

}  // namespace patra::domain
