#pragma once

#include <string>

namespace patra::boot {

// Who is at the keyboard, for those who find the decision later.
std::string Operator();

}  // namespace patra::boot
