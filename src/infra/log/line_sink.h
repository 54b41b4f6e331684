#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace patra::infra::log {

// Where the lines of a log go. Thread-safe as far as what prints them is; a line that cannot be written stops nothing.
class LineSink {
 public:
  using Print = std::function<void(std::string_view line)>;

  explicit LineSink(std::FILE* file = stderr);
  // Standard error where there is none.
  explicit LineSink(Print print);
  ~LineSink();
  LineSink(LineSink&&) noexcept;
  LineSink& operator=(LineSink&&) = delete;

  // Without its end.
  void Write(const std::string& line);

 private:
  class File;  // spdlog's headers are slow to compile

  Print print_{};
  std::unique_ptr<File> file_;
};

}  // namespace patra::infra::log
