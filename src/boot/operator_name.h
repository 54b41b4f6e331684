#pragma once

#include <string>

namespace patra::boot {

// Who is at the keyboard, for those who find a decision in the audit later.
std::string OperatorName();

}  // namespace patra::boot
