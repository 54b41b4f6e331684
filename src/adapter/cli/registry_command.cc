#include "adapter/cli/registry_command.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/output_file.h"

namespace patra::adapter::cli {
namespace {

int Print(const Result<app::RegistryReport>& report, std::string_view done,
          const Console& console) {
  if (!report) return PrintError(console, report.error());
  for (const auto& problem : report->problems) Report(console, problem);
  if (!report->problems.empty()) return kInvalidConfiguration;
  for (const auto& change : report->changes) fmt::print(console.out, "{}\n", change);
  fmt::print(console.err, "{} fields {}\n", report->changes.size(), done);
  return kComplete;
}

Result<std::string> WriteDefinition(const std::string& name, const std::string& text,
                                    const std::string& folder) {
  const auto path = std::filesystem::path(folder) / (name + ".yaml");
  std::error_code ignored;  // writing says it better
  std::filesystem::create_directories(path.parent_path(), ignored);
  auto file = PATRA_TRY(OutputFile::Create(path.string()));
  PATRA_TRY(file.Write(text));
  PATRA_TRY(file.Finish());
  return path.string();
}

}  // namespace

int RunRegistryApply(const RegistryCommand& command, app::RegistryMoves& registry,
                     const Console& console) {
  return Print(registry.Apply(command.moment), "changed", console);
}

int RunRegistryDiff(const RegistryCommand&, app::RegistryMoves& registry, const Console& console) {
  return Print(registry.Compare(), "differ", console);
}

int RunRegistryPromote(const RegistryCommand&, app::RegistryMoves& registry,
                       const Console& console) {
  return Print(registry.Promote(), "changed", console);
}

int RunRegistryDrop(const RegistryCommand&, app::RegistryMoves& registry, const Console& console) {
  return Print(registry.Drop(), "taken back", console);
}

int RunRegistryExport(const RegistryCommand& command, app::RegistryMoves& registry,
                      const Console& console) {
  const auto files = registry.Export(command.moment);
  if (!files) return PrintError(console, files.error());
  for (const auto& [source, text] : *files) {
    if (command.folder.empty()) {
      fmt::print(console.out, "---\n{}", text);
      continue;
    }
    const auto written = WriteDefinition(source, text, command.folder);
    if (!written) return PrintError(console, written.error());
    fmt::print(console.out, "{}\n", *written);
  }
  return kComplete;
}

}  // namespace patra::adapter::cli
