#pragma once

#include <string>

namespace patra::boot {

// The folder itself; where none is named, the one that was shipped with the program, else ./sources.
std::string SourcesFolder(const std::string& named);

}  // namespace patra::boot
