// The machine that patra runs on, as far as work depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace patra::app {

struct DiskRoom {
  std::int64_t free_bytes = 0;  // for whoever asks
  std::int64_t bytes = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;

  // Of the disk that the file, or its folder where it is not there yet, is on.
  virtual Result<DiskRoom> RoomAt(const std::string& path) = 0;
  // Whether others than its owner may read or write the file. kNotFound where there is none.
  virtual Result<bool> IsOpenToOthers(const std::string& path) = 0;
  // The bytes of a small file. kNotFound where it cannot be read, kLimit where it is no small one.
  virtual Result<std::string> Read(const std::string& path) = 0;
  // Whether the system keeps its clock right; nothing where it does not say.
  virtual std::optional<bool> IsClockKept() = 0;
  virtual std::int64_t OpenFilesMax() = 0;
};

}  // namespace patra::app
