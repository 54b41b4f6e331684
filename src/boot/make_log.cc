#include "boot/make_log.h"

#include "infra/log/json_log.h"
#include "infra/log/sampled_log.h"
#include "infra/log/text_log.h"
#include "infra/log/worded_log.h"

namespace patra::boot {
namespace {

app::LogLevel LevelOf(const std::string& name) {
  using enum app::LogLevel;
  if (name == "debug") return kDebug;
  if (name == "info") return kInfo;
  return name == "error" ? kError : kWarn;
}

}  // namespace

std::unique_ptr<app::Log> MakeLog(const adapter::cli::LogRequest& request, const Clock& clock) {
  const auto level = LevelOf(request.level);
  infra::log::LineSink sink(request.print);
  std::unique_ptr<app::Log> log;
  if (request.as_text) {
    log = std::make_unique<infra::log::TextLog>(level, clock, std::move(sink), request.color);
  } else {
    log = std::make_unique<infra::log::JsonLog>(level, clock, std::move(sink));
  }
  if (request.sample < 1)
    log = std::make_unique<infra::log::SampledLog>(std::move(log), request.sample);
  if (!request.wording) return log;
  return std::make_unique<infra::log::WordedLog>(std::move(log), request.wording);
}

}  // namespace patra::boot
