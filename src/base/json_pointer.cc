#include "base/json_pointer.h"

namespace patra {

std::string ChildPointer(const std::string& parent, std::string_view name) {
  auto pointer = parent + '/';
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

}  // namespace patra
