#include "adapter/cli/global_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/command_tree.h"
#include "base/comma_list.h"

namespace patra::adapter::cli {
namespace {

std::string ValueIn(const app::SettingsReport& report, std::string_view name) {
  const auto found = std::ranges::find(report.settings, name, &domain::Setting::name);
  return found == report.settings.end() ? std::string() : found->value;
}

}  // namespace

std::shared_ptr<GlobalOptions> GlobalOptions::AddTo(CLI::App& app,
                                                    std::span<const std::string> words) {
  auto globals = std::make_shared<GlobalOptions>();
  globals->words_ = words;
  const auto add = [&](const char* setting, const char* flag, const char* environment,
                       const char* about) {
    auto& known = *globals->known_.emplace_back(
        std::make_unique<Known>(Known{.setting = setting, .option = nullptr, .value = {}}));
    known.option = app.add_option(flag, known.value, about)->envname(environment);
    return known.option;
  };
  add("database", "--db", "PATRA_DATABASE_URL",
      "The store: a file, sqlite:FILE or mysql://USER@HOST/DATABASE")
      ->type_name("STORE");
  add("sources", "--sources", "PATRA_SOURCES",
      "The folder of the definitions; default: the shipped ones, else ./sources")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  app.add_option("--config", globals->configuration_,
                 "The configuration; default: patra.yaml here, if it exists")
      ->envname("PATRA_CONFIG")
      ->type_name("FILE");
  add("gate.url", "--gate", "PATRA_GATE_URL",
      "The Redis that counts requests, redis://HOST/0; default: a file beside the store")
      ->type_name("URL");
  add("plan.release", "--release", "PATRA_RELEASE",
      "The release whose definitions go before those of all; default: none")
      ->type_name("NAME");
  add("plan.registry", "--registry", "PATRA_REGISTRY_URL",
      "The patra whose definitions are planned by, https://HOST:8470; default: those of the store")
      ->type_name("URL");
  add("log.level", "--log-level", "PATRA_LOG_LEVEL", "What is logged on standard error")
      ->check(CLI::IsMember(std::vector<std::string>{"debug", "info", "warn", "error"}));
  add("log.format", "--log-format", "PATRA_LOG_FORMAT",
      "auto: text on a terminal, elsewhere JSON, one object a line")
      ->check(CLI::IsMember(std::vector<std::string>{"auto", "text", "json"}));
  return globals;
}

std::string GlobalOptions::OriginOf(const Known& known) const {
  const auto spelled = SpellingsOf(*known.option).back();
  const bool is_typed = std::ranges::any_of(words_, [&](const std::string& word) {
    return word == spelled || word.starts_with(spelled + "=");
  });
  return is_typed ? spelled : known.option->get_envname();
}

bool GlobalOptions::names_database() const {
  return std::ranges::any_of(known_, [](const std::unique_ptr<Known>& known) {
    return known->setting == "database" && known->option->count() > 0;
  });
}

Result<app::SettingsReport> GlobalOptions::Report(Services& services,
                                                  const std::string& section) const {
  auto report = PATRA_TRY(services.Settings(section, configuration_));
  const auto prefix = section.empty() ? std::string() : section + ".";
  for (const auto& known : known_) {
    if (known->option->count() == 0 || !known->setting.starts_with(prefix)) continue;
    const auto found = std::ranges::find(report.settings, known->setting.substr(prefix.size()),
                                         &domain::Setting::name);
    if (found == report.settings.end()) continue;
    found->value = known->value;
    found->origin = OriginOf(*known);
  }
  return report;
}

Result<Globals> GlobalOptions::Settle(Services& services) const {
  const auto report = PATRA_TRY(Report(services));
  if (!report.problems.empty()) {
    auto first = report.problems.front();
    if (report.problems.size() > 1)
      first.hint += fmt::format("{}`patra config show` tells all {} problems",
                                first.hint.empty() ? "" : "; ", report.problems.size());
    return std::unexpected(std::move(first));
  }
  const auto of_gate = PATRA_TRY(Report(services, "gate"));
  const auto of_plan = PATRA_TRY(Report(services, "plan"));
  return Globals{.configuration = configuration_,
                 .database = ValueIn(report, "database"),
                 .sources_folder = ValueIn(report, "sources"),
                 .gate = ValueIn(of_gate, "url"),
                 .release = ValueIn(of_plan, "release"),
                 .registry = ValueIn(of_plan, "registry"),
                 .registry_token = ValueIn(of_plan, "registry_token"),
                 .log_level = ValueIn(report, "log.level"),
                 .log_format = ValueIn(report, "log.format"),
                 .allow_loopback = ValueIn(report, "network.loopback") == "true",
                 .networks = CommaList(ValueIn(report, "network.allowed"))};
}

}  // namespace patra::adapter::cli
