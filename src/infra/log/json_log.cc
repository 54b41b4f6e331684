#include "infra/log/json_log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <fmt/format.h>

#include "base/plain_text.h"
#include "base/utf8.h"

namespace patra::infra::log {
namespace {

std::string_view NameOf(app::LogLevel level) {
  switch (level) {
    case app::LogLevel::kDebug:
      return "DEBUG";
    case app::LogLevel::kInfo:
      return "INFO";
    case app::LogLevel::kWarn:
      return "WARN";
    case app::LogLevel::kError:
      break;
  }
  return "ERROR";
}

std::string TextOf(Id id) { return id == 0 ? std::string() : fmt::format_int(id).str(); }

// Valid UTF-8 of bounded length: what providers send need be neither.
std::string Tame(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= JsonLog::kTextBytesMax) {
      out += "…";
      break;
    }
    const auto character = DecodeUtf8(text, at);
    if (character.valid()) {
      out += text.substr(at, character.length);
    } else {
      out += "\uFFFD";
    }
    at += std::max<std::size_t>(character.length, 1);
  }
  return out;
}

Value Tame(const Value& value, int depth) {
  constexpr int kDepthMax = 16;
  if (depth > kDepthMax) return "…";
  if (const auto* text = value.AsString()) return Tame(*text);
  if (const auto* items = value.AsArray()) {
    Value::Array tamed;
    for (const auto& item : *items) tamed.push_back(Tame(item, depth + 1));
    return tamed;
  }
  if (const auto* members = value.AsObject()) {
    Value::Object tamed;
    for (const auto& [name, member] : *members) tamed.emplace(Tame(name), Tame(member, depth + 1));
    return tamed;
  }
  return value;
}

}  // namespace

class JsonLog::Sink {
 public:
  explicit Sink(std::FILE* file) : logger_("patra", std::make_shared<FileSink>(file)) {
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

JsonLog::JsonLog(app::LogLevel least, const Clock& clock, std::FILE* file)
    : least_(least), clock_(clock), sink_(std::make_unique<Sink>(file)) {}

JsonLog::~JsonLog() = default;

void JsonLog::Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
                    const Value::Object& details) {
  if (level < least_) return;
  auto line = Tame(Value(details), 0);
  line["ts"] = FormatRfc3339(clock_.Now());
  line["level"] = NameOf(level);
  line["event"] = Tame(event);
  line["correlation_id"] =
      lineage.correlation.empty() ? TextOf(lineage.trigger) : lineage.correlation;
  line["schedule_instance_id"] = TextOf(lineage.trigger);
  line["plan_id"] = TextOf(lineage.plan);
  line["slice_id"] = TextOf(lineage.slice);
  line["task_id"] = TextOf(lineage.task);
  line["run_id"] = TextOf(lineage.run);
  line["batch_id"] = TextOf(lineage.batch);
  sink_->Write(Spelled(PrintJson(line)));
}

}  // namespace patra::infra::log
