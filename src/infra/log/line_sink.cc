#include "infra/log/line_sink.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace patra::infra::log {

class LineSink::File {
 public:
  explicit File(std::FILE* file) : logger_("patra", std::make_shared<FileSink>(file)) {
    logger_.set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::utc, "\n"));
    logger_.set_level(spdlog::level::trace);
    logger_.flush_on(spdlog::level::trace);
    logger_.set_error_handler([](const std::string&) {});  // a log that fails stops nothing
  }

  void Write(const std::string& line) {
    logger_.log(spdlog::level::info, spdlog::string_view_t(line));
  }

 private:
  // stdout_sink_base writes to any file, but only its children may be made.
  class FileSink final : public spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex> {
   public:
    explicit FileSink(std::FILE* file) : stdout_sink_base(file) {}
  };

  spdlog::logger logger_;
};

LineSink::LineSink(std::FILE* file) : file_(std::make_unique<File>(file)) {}
LineSink::LineSink(Print print)
    : print_(std::move(print)), file_(print_ ? nullptr : std::make_unique<File>(stderr)) {}
LineSink::~LineSink() = default;
LineSink::LineSink(LineSink&&) noexcept = default;

void LineSink::Write(const std::string& line) {
  if (print_) return print_(line);
  file_->Write(line);
}

}  // namespace patra::infra::log
