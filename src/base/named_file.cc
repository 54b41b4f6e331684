#include "base/named_file.h"

#include <sys/stat.h>

namespace patra {

bool IsStillNamed(int descriptor, const std::string& path) {
  struct stat ours{};
  struct stat named{};
  return fstat(descriptor, &ours) == 0 && stat(path.c_str(), &named) == 0 &&
         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

}  // namespace patra
