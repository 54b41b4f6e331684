// Whether the paths of a definition lead to records.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/spec/check_subject.h"

namespace patra::domain {

// A path that is none is complained of.
void CheckPath(const CheckSubject& on, const std::optional<std::string>& path, std::string_view at);

void CheckResponse(const CheckSubject& on);

}  // namespace patra::domain
