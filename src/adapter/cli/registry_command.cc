#include "adapter/cli/registry_command.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"

namespace patra::adapter::cli {
namespace {

int Print(const Result<RegistryReport>& report, std::string_view done, const Console& console) {
  if (!report) return Told(console, report.error());
  for (const auto& problem : report->problems) Report(console, problem);
  if (!report->problems.empty()) return kInvalidConfiguration;
  for (const auto& change : report->changes) fmt::print(console.out, "{}\n", change);
  fmt::print(console.err, "{} fields {}\n", report->changes.size(), done);
  return kComplete;
}

}  // namespace

int RunRegistryApply(const RegistryCommand& command, SourceServices& services,
                     const Console& console) {
  return Print(services.ApplyToRegistry(command.request), "changed", console);
}

int RunRegistryDiff(const RegistryCommand& command, SourceServices& services,
                    const Console& console) {
  return Print(services.CompareWithRegistry(command.request), "differ", console);
}

int RunRegistryExport(const RegistryCommand& command, SourceServices& services,
                      const Console& console) {
  const auto files = services.ExportRegistry(command.request);
  if (!files) return Told(console, files.error());
  for (const auto& [source, text] : *files) {
    if (command.folder.empty()) {
      fmt::print(console.out, "---\n{}", text);
      continue;
    }
    const auto path = std::filesystem::path(command.folder) / (source + ".yaml");
    std::error_code ignored;  // writing says it better
    std::filesystem::create_directories(path.parent_path(), ignored);
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.flush();
    if (!stream.good()) {
      Report(console,
             {ErrorCode::kUnavailable, fmt::format("{} cannot be written", path.string())});
      return kFailed;
    }
    fmt::print(console.out, "{}\n", path.string());
  }
  return kComplete;
}

}  // namespace patra::adapter::cli
