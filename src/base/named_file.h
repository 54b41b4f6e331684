// Whether a name still leads to the file that is open: somebody may have removed it, or put another one in its place.
#pragma once

#include <string>

namespace patra {

bool IsStillNamed(int descriptor, const std::string& path);

}  // namespace patra
