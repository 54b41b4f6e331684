#include "boot/configuration.h"

#include <filesystem>

#include <fmt/format.h>

#include "infra/definitions/yaml_files.h"

namespace patra::boot {
namespace {

constexpr const char* kUsualFile = "patra.yaml";

}  // namespace

Result<Configuration> ReadConfiguration(const std::string& file) {
  if (file.empty() && !std::filesystem::exists(kUsualFile)) return Configuration{};
  Configuration read{.file = file.empty() ? kUsualFile : file};
  auto document = PATRA_TRY(infra::definitions::YamlFiles().ReadFile(read.file));
  read.problems = std::move(document.problems);
  read.settings = domain::ReadSettings(document.tree, read.problems);
  return read;
}

Result<void> Configure(const std::string& file, EngineOptions& options) {
  auto read = PATRA_TRY(ReadConfiguration(file));
  if (!read.problems.empty()) {
    auto first = std::move(read.problems.front());
    if (read.problems.size() > 1)
      first.hint += fmt::format("{}`patra heal policy` shows all {} problems",
                                first.hint.empty() ? "" : "; ", read.problems.size());
    return std::unexpected(std::move(first));
  }
  options.plan = read.settings.plan;
  options.heal = read.settings.heal;
  options.execute.failures_max = read.settings.heal.failures_max;
  options.execute.change = read.settings.heal.change;
  options.execute.recut = read.settings.heal.recut;
  options.execute.failing = read.settings.heal.failing;
  return {};
}

}  // namespace patra::boot
