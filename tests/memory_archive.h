// Files of an archive that are nowhere but in memory. Copies are of the same files.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/port/archive_files.h"

namespace patra::testing {

class MemoryArchive final : public app::ArchiveFiles {
 public:
  std::string folder() const override { return "memory"; }
  Result<void> Write(const std::string& name, std::string_view bytes) override {
    (*files_)[name] = bytes;
    return {};
  }
  Result<std::string> Read(const std::string& name, std::int64_t bytes_max) override {
    const auto found = files_->find(name);
    if (found == files_->end()) return Fail(ErrorCode::kNotFound, name + " is not there");
    if (std::ssize(found->second) > bytes_max) return Fail(ErrorCode::kLimit, name + " is large");
    return found->second;
  }
  Result<void> Remove(const std::string& name) override {
    files_->erase(name);
    return {};
  }

  std::map<std::string, std::string>& files() { return *files_; }

 private:
  std::shared_ptr<std::map<std::string, std::string>> files_ =
      std::make_shared<std::map<std::string, std::string>>();
};

}  // namespace patra::testing
