#include <ranges>

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/source/source_catalog.h"
#include "base/integer.h"
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
      : registry_(ports.registry == nullptr ? ports.store.registry() : *ports.registry),
        is_elsewhere_(ports.registry != nullptr),
        files_(ports.files),
        folder_(ports.sources_folder),
        clock_(ports.clock) {}

  Result<RegistryReport> Apply(const std::optional<std::string>& from) override {
    const auto loaded = PATRA_TRY(LoadForRegistry(files_, folder_));
    if (!loaded.problems.empty()) return RegistryReport{.problems = loaded.problems};
    return Changed(registry_.Apply(loaded.content, PATRA_TRY(MomentOf(from))));
  }

  Result<RegistryReport> Compare() override {
    const auto loaded = PATRA_TRY(LoadForRegistry(files_, folder_));
    if (!loaded.problems.empty()) return RegistryReport{.problems = loaded.problems};
    return ReportOf(PATRA_TRY(registry_.Diff(loaded.content)));
  }

  Result<RegistryReport> Promote() override {
    PATRA_TRY(CheckRelease());
    return Changed(registry_.Promote(clock_.Now()));
  }

  Result<RegistryReport> Drop() override {
    PATRA_TRY(CheckRelease());
    return Changed(registry_.Drop(clock_.Now()));
  }

  // Its version names the moment up to which it counts, too: the same number stands for another definition after that.
  Result<std::optional<RegisteredDefinition>> Find(const std::string& source,
                                                   const std::string& known_version) override {
    const auto now = clock_.Now();
    const auto dot = known_version.find('.');
    const auto until =
        ParseInteger(dot == std::string::npos ? std::string_view()
                                              : std::string_view(known_version).substr(dot + 1));
    const bool still_counts = until && (*until == 0 || now < Instant(Duration(*until)));
    const auto found = PATRA_TRY(
        registry_.Find(source, now, still_counts ? known_version.substr(0, dot) : std::string()));
    if (!found) return std::nullopt;
    return RegisteredDefinition{
        .version = fmt::format("{}.{}", found->version,
                               found->until ? found->until->time_since_epoch().count() : 0),
        .text = found->definition ? files_.Print(*found->definition) : std::string(),
        .until = found->until};
  }

  Result<std::vector<DictionaryCode>> Codes() override {
    std::vector<DictionaryCode> codes;
    for (auto& item : PATRA_TRY(registry_.Codes()).Items())
      codes.push_back(
          {std::move(item.type), std::move(item.code), item.is_enabled, std::move(item.aliases)});
    return codes;
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
  Result<void> CheckRelease() const {
    if (!registry_.Release().empty()) return {};
    return Fail(ErrorCode::kInvalidInput, "no release is named", {}, "‹wish.release NAME›");
  }

  // Accounts that plan and work may only read the registry.
  Result<RegistryReport> Changed(Result<std::vector<RegistryChange>> changes) const {
    if (changes) return ReportOf(*changes);
    auto error = std::move(changes).error();
    if (error.code == ErrorCode::kRefused && !is_elsewhere_)
      error.hint =
          "this account may read the registry and not write it: apply with the one that "
          "migrates the store";
    return std::unexpected(std::move(error));
  }

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
  const bool is_elsewhere_;  // another machine's, which says itself what it refuses
  DefinitionFiles& files_;
  const std::string folder_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<RegistryMoves> MakeRegistryMoves(const DeskPorts& ports) {
  return std::make_unique<StoreRegistryMoves>(ports);
}

}  // namespace patra::app
