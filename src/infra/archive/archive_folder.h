// The archive as a folder of files, readable by their owner only.
#pragma once

#include <string>

#include "app/port/archive_files.h"

namespace patra::infra::archive {

// Thread-safe. The folder is made with the first file.
class ArchiveFolder final : public app::ArchiveFiles {
 public:
  explicit ArchiveFolder(std::string folder) : folder_(std::move(folder)) {}

  std::string folder() const override { return folder_; }
  Result<void> Write(const std::string& name, std::string_view bytes) override;
  Result<std::string> Read(const std::string& name, std::int64_t bytes_max) override;
  Result<void> Remove(const std::string& name) override;

 private:
  Result<std::string> PathOf(const std::string& name) const;

  const std::string folder_;
};

}  // namespace patra::infra::archive
