// The files that old rows go to. Names are relative to their folder, so that it may be moved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::app {

// Thread-safe.
class ArchiveFiles {
 public:
  virtual ~ArchiveFiles() = default;

  // The folder, for people; empty: there is none.
  virtual std::string folder() const = 0;

  // Aside and durable first, then under its name: a name stands for the whole of it, whenever the power fails.
  virtual Result<void> Write(const std::string& name, std::string_view bytes) = 0;
  // kNotFound where there is none; kLimit where it has more than so many bytes.
  virtual Result<std::string> Read(const std::string& name, std::int64_t bytes_max) = 0;
  // With what was written aside for it. What is not there is gone already.
  virtual Result<void> Remove(const std::string& name) = 0;
};

}  // namespace patra::app
