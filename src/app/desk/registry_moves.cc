#include <ranges>

#include "app/desk/desk_ports.h"
#include "app/source/source_catalog.h"
#include "base/moment.h"
#include "domain/spec/scalars.h"
#include "domain/spec/shape.h"

namespace patra::app {
namespace {

// Names come from a store that others may have written to: whoever makes files of them is not led out of a folder.
Result<void> CheckPath(const std::string& name) {
  for (const auto part : std::views::split(name, '/'))
    PATRA_TRY(domain::CheckName(std::string(part.begin(), part.end())));
  return {};
}

class StoreRegistryMoves final : public RegistryMoves {
 public:
  explicit StoreRegistryMoves(const DeskPorts& ports)
      : registry_(ports.store.registry()),
        files_(ports.files),
        folder_(ports.sources_folder),
        clock_(ports.clock) {}

  Result<RegistryReport> Apply(const std::optional<std::string>& from) override {
    const auto loaded = PATRA_TRY(LoadForRegistry(files_, folder_));
    if (!loaded.problems.empty()) return RegistryReport{.problems = loaded.problems};
    return ReportOf(PATRA_TRY(registry_.Apply(loaded.content, PATRA_TRY(MomentOf(from)))));
  }

  Result<RegistryReport> Compare() override {
    const auto loaded = PATRA_TRY(LoadForRegistry(files_, folder_));
    if (!loaded.problems.empty()) return RegistryReport{.problems = loaded.problems};
    return ReportOf(PATRA_TRY(registry_.Diff(loaded.content)));
  }

  Result<std::vector<ExportedDefinition>> Export(const std::optional<std::string>& at) override {
    std::vector<ExportedDefinition> exported;
    for (const auto& definition : PATRA_TRY(registry_.Export(PATRA_TRY(MomentOf(at)))))
      exported.push_back({definition.Find("source")->text, files_.Print(definition)});
    const auto fields = PATRA_TRY(registry_.Fields());
    exported.push_back({"dictionary/fields", files_.Print(domain::FieldDictionaryFile(fields))});
    for (const auto& one : exported) PATRA_TRY(CheckPath(one.name));
    return exported;
  }

 private:
  static RegistryReport ReportOf(const auto& changes) {
    RegistryReport report;
    for (const auto& change : changes) report.changes.push_back(change.Describe());
    return report;
  }

  Result<Instant> MomentOf(const std::optional<std::string>& text) {
    if (!text) return clock_.Now();
    return ParseMoment(*text, clock_.Now());
  }

  Registry& registry_;
  DefinitionFiles& files_;
  const std::string folder_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<RegistryMoves> MakeRegistryMoves(const DeskPorts& ports) {
  return std::make_unique<StoreRegistryMoves>(ports);
}

}  // namespace patra::app
