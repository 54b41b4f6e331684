// A file that is there as a whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::adapter::cli {

// Written beside its place and moved there at the end; given up, it leaves nothing behind. Its owner alone may read it.
// A pipe or a device takes the bytes as they come: nothing may stand in its place. Not thread-safe.
class OutputFile {
 public:
  static Result<OutputFile> Create(const std::string& path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  Result<void> Write(std::string_view bytes);

  // Whether nobody has seen a byte of it before Finish, so that it can be given up and begun anew.
  bool is_draft() const { return !draft_.empty(); }

  // Makes it durable under its name, in place of what was there.
  Result<void> Finish();

 private:
  OutputFile(std::string path, std::string draft, int descriptor)
      : path_(std::move(path)), draft_(std::move(draft)), descriptor_(descriptor) {}

  Result<void> Flush();

  std::string path_;
  std::string draft_;  // empty where the bytes go straight to path_
  int descriptor_;     // -1 once it is finished
  std::string waiting_;
};

}  // namespace patra::adapter::cli
