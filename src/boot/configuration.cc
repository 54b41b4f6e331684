#include "boot/configuration.h"

#include <filesystem>

#include <fmt/format.h>

#include "domain/gate/gate_settings.h"
#include "domain/heal/heal_settings.h"
#include "domain/plan/plan_settings.h"
#include "domain/task/work_settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {
namespace {

constexpr const char* kUsualFile = "patra.yaml";

// What the file names lies beside it, wherever the command is given.
std::string Beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).string();
}

void Locate(Configuration& read) {
  auto& database = read.settings.workplace.database;
  auto& sources = read.settings.workplace.sources;
  if (read.tree.At("database") != nullptr && !database.contains(':'))
    database = Beside(read.file, database);
  const auto* named = read.tree.At("sources");
  if (named == nullptr) return;
  sources = Beside(read.file, sources);
  if (!std::filesystem::is_directory(sources)) {
    read.problems.push_back({ErrorCode::kInvalidInput,
                             fmt::format("there is no folder {}", sources), named->place,
                             "sources: names the folder of the definitions"});
  }
}

}  // namespace

Result<Configuration> ReadConfiguration(const std::string& file) {
  if (file.empty() && !std::filesystem::exists(kUsualFile)) return Configuration{};
  Configuration read{.file = file.empty() ? kUsualFile : file};
  auto document = PATRA_TRY(infra::definitions::YamlFiles().ReadFile(read.file));
  read.problems = std::move(document.problems);
  read.settings = domain::ReadSettings(document.tree, read.problems);
  read.tree = std::move(document.tree);
  Locate(read);
  return read;
}

std::vector<domain::Setting> Configuration::Show(const std::string& section) const {
  auto shown = section == "heal"      ? domain::HealSettings(settings.heal)
               : section == "plan"    ? domain::PlanSettings(settings.plan)
               : section == "gate"    ? domain::ShowGateSettings(settings.gate)
               : section == "work"    ? domain::ShowWorkSettings(settings.work)
               : section == "service" ? domain::ShowServiceSettings(settings.service)
                                      : domain::WorkplaceSettings(settings.workplace);
  for (auto& setting : shown) {
    const auto* node = tree.At(section.empty() ? setting.name : section + "." + setting.name);
    if (node != nullptr) setting.origin = fmt::format("{}:{}", node->place.file, node->place.line);
  }
  return shown;
}

Result<domain::Settings> Configure(const std::string& file, EngineOptions& options) {
  auto read = PATRA_TRY(ReadConfiguration(file));
  if (!read.problems.empty()) {
    auto first = std::move(read.problems.front());
    if (read.problems.size() > 1)
      first.hint += fmt::format("{}`patra config show` tells all {} problems",
                                first.hint.empty() ? "" : "; ", read.problems.size());
    return std::unexpected(std::move(first));
  }
  const auto& workplace = read.settings.workplace;
  options.slow_statement = workplace.slow_statement;
  options.trace_endpoint = workplace.trace_endpoint;
  if (options.serves) options.log.sample = workplace.log_sample;
  options.plan = read.settings.plan;
  options.heal = read.settings.heal;
  options.gate = read.settings.gate;
  options.at_once = read.settings.work;
  options.execute.failures_max = read.settings.heal.failures_max;
  options.execute.change = read.settings.heal.change;
  options.execute.recut = read.settings.heal.recut;
  options.execute.failing = read.settings.heal.failing;
  return read.settings;
}

}  // namespace patra::boot
