#include "boot/configuration.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "domain/gate/gate_settings.h"
#include "domain/heal/heal_settings.h"
#include "domain/plan/plan_settings.h"
#include "domain/retention/retention_settings.h"
#include "domain/task/work_settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {
namespace {

constexpr const char* kUsualFile = "patra.yaml";

// Sections and settings that flags and the environment come before, so the way in reads them, once.
constexpr std::array<std::pair<const char*, const char*>, 10> kSettledAtStart{
    {{"", "database"},
     {"", "sources"},
     {"", "log.level"},
     {"", "log.format"},
     {"", "network.loopback"},
     {"", "network.allowed"},
     {"gate", "url"},
     {"plan", "release"},
     {"plan", "registry"},
     {"plan", "registry_token"}}};

// What the file names lies beside it, wherever the command is given.
std::string Beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).string();
}

void Locate(Configuration& read) {
  auto& database = read.settings.workplace.database;
  auto& sources = read.settings.workplace.sources;
  if (read.tree.At("database") != nullptr && !database.contains(':'))
    database = Beside(read.file, database);
  if (auto& archive = read.settings.retention.archive_dir; !archive.empty())
    archive = Beside(read.file, archive);
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
  auto shown = section == "heal"        ? domain::HealSettings(settings.heal)
               : section == "plan"      ? domain::PlanSettings(settings.plan)
               : section == "gate"      ? domain::ShowGateSettings(settings.gate)
               : section == "work"      ? domain::ShowWorkSettings(settings.work)
               : section == "service"   ? domain::ShowServiceSettings(settings.service)
               : section == "retention" ? domain::ShowRetentionPolicy(settings.retention)
                                        : domain::WorkplaceSettings(settings.workplace);
  for (auto& setting : shown) {
    const auto* node = tree.At(section.empty() ? setting.name : section + "." + setting.name);
    if (node != nullptr) setting.origin = fmt::format("{}:{}", node->place.file, node->place.line);
  }
  return shown;
}

Result<void> Configure(const Configuration& read, EngineOptions& options) {
  if (!read.problems.empty()) {
    auto first = read.problems.front();
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
  options.retention = read.settings.retention;
  options.execute.failures_max = read.settings.heal.failures_max;
  options.execute.change = read.settings.heal.change;
  options.execute.recut = read.settings.heal.recut;
  options.execute.failing = read.settings.heal.failing;
  return {};
}

std::vector<std::string> WantsARestart(const Configuration& begun_with, const Configuration& now) {
  std::vector<std::string> names;
  for (const auto& [section, setting] : kSettledAtStart) {
    const auto value_in = [&](const Configuration& read) {
      const auto shown = read.Show(section);
      return std::ranges::find(shown, setting, &domain::Setting::name)->value;
    };
    if (value_in(begun_with) != value_in(now))
      names.push_back(*section == '\0' ? setting : fmt::format("{}.{}", section, setting));
  }
  return names;
}

}  // namespace patra::boot
