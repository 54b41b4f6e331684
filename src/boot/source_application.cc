#include "boot/source_application.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/source/resolve_source.h"
#include "base/clock.h"
#include "base/moment.h"
#include "boot/open_store.h"
#include "boot/operator_name.h"
#include "domain/spec/shape.h"

namespace patra::boot {
namespace {

using adapter::cli::PauseRequest;

// "*": all of the source's.
std::string EndpointOf(const app::SourceTarget& target) { return target.endpoint.value_or("*"); }

// Made where there is none: a source can be paused, and a registry be filled, before the first harvest.
Result<std::unique_ptr<app::Store>> Open(const std::string& database, StoreUse use, Clock& clock) {
  return OpenStore(PATRA_TRY(StoreAddress::Parse(database)), use, clock);
}

// A pause that is over already would hold nothing.
Result<std::optional<Instant>> EndOfPause(const PauseRequest& request, Instant now) {
  if (!request.until) return std::nullopt;
  const auto until = PATRA_TRY(ParseMoment(*request.until, now));
  if (until <= now)
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} is past", FormatRfc3339(until)), {},
                "--until +6h, or no --until for a pause without end");
  return until;
}

}  // namespace

std::string SourceApplication::FolderOf(const std::string& folder) {
  if (!folder.empty()) return folder;
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    const auto shipped = program.parent_path().parent_path() / "share" / "patra" / "sources";
    if (std::filesystem::is_directory(shipped, failed)) return shipped.string();
  }
  return "sources";
}

Result<std::vector<app::SourceSummary>> SourceApplication::ListSources(const std::string& folder) {
  return In(folder).List();
}

Result<app::SourceCheck> SourceApplication::CheckSources(const std::string& folder,
                                                         const std::optional<std::string>& source) {
  return In(folder).Check(source);
}

Result<app::CompiledReport> SourceApplication::CompileSource(
    const std::string& folder, const std::string& target,
    const std::vector<std::string>& overrides) {
  return In(folder).Compile(target, overrides);
}

Result<std::vector<app::ExchangeReport>> SourceApplication::TestSource(const std::string& folder,
                                                                       const std::string& source) {
  return In(folder).Test(source);
}

Result<std::string> SourceApplication::ReadDefinition(const std::string& folder,
                                                      const std::string& source) {
  const auto catalog = PATRA_TRY(app::SourceCatalog::Load(files_, FolderOf(folder)));
  const auto* entry = PATRA_TRY(catalog.Find(source));
  return infra::definitions::ReadText(entry->file);
}

std::string SourceApplication::SourceSchema() {
  return PrintJson(domain::SourceSchema(), 2) + "\n";
}

Result<void> SourceApplication::PauseSource(const PauseRequest& request) {
  const auto target = app::TargetOf(request.target);
  SystemClock clock;
  const auto until = PATRA_TRY(EndOfPause(request, clock.Now()));
  const auto store = PATRA_TRY(Open(request.database, StoreUse::kChange, clock));
  const auto folder = FolderOf(request.sources_folder);
  const auto stored = PATRA_TRY(store->registry().Export(clock.Now()));
  PATRA_TRY(app::CheckTarget(PATRA_TRY(app::WithFolder(stored, files_, folder)), target));
  return store->holds().Pause({.provenance = target.source,
                               .endpoint = EndpointOf(target),
                               .reason = request.reason,
                               .until = until},
                              {.actor = OperatorName(), .reason = request.reason});
}

Result<bool> SourceApplication::ResumeSource(const PauseRequest& request) {
  const auto target = app::TargetOf(request.target);
  SystemClock clock;
  const auto store = PATRA_TRY(Open(request.database, StoreUse::kChange, clock));
  const auto resumed = store->holds().Resume(target.source, EndpointOf(target),
                                             {.actor = OperatorName(), .reason = request.reason});
  if (!resumed && resumed.error().code == ErrorCode::kNotFound) return false;
  if (!resumed) return std::unexpected(resumed.error());
  return true;
}

namespace {

Result<Instant> MomentOf(const adapter::cli::RegistryRequest& request, const Clock& clock) {
  if (!request.from) return clock.Now();
  return ParseMoment(*request.from, clock.Now());
}

}  // namespace

Result<adapter::cli::RegistryReport> SourceApplication::ApplyToRegistry(
    const adapter::cli::RegistryRequest& request) {
  const auto loaded = PATRA_TRY(app::LoadForRegistry(files_, FolderOf(request.sources_folder)));
  if (!loaded.problems.empty()) return adapter::cli::RegistryReport{.problems = loaded.problems};
  SystemClock clock;
  const auto store = PATRA_TRY(Open(request.database, StoreUse::kChange, clock));
  const auto from = PATRA_TRY(MomentOf(request, clock));
  adapter::cli::RegistryReport report;
  for (const auto& change : PATRA_TRY(store->registry().Apply(loaded.content, from)))
    report.changes.push_back(change.Describe());
  return report;
}

Result<adapter::cli::RegistryReport> SourceApplication::CompareWithRegistry(
    const adapter::cli::RegistryRequest& request) {
  const auto loaded = PATRA_TRY(app::LoadForRegistry(files_, FolderOf(request.sources_folder)));
  if (!loaded.problems.empty()) return adapter::cli::RegistryReport{.problems = loaded.problems};
  SystemClock clock;
  const auto store = PATRA_TRY(Open(request.database, StoreUse::kLook, clock));
  adapter::cli::RegistryReport report;
  for (const auto& change : PATRA_TRY(store->registry().Diff(loaded.content)))
    report.changes.push_back(change.Describe());
  return report;
}

Result<std::vector<std::pair<std::string, std::string>>> SourceApplication::ExportRegistry(
    const adapter::cli::RegistryRequest& request) {
  SystemClock clock;
  const auto store = PATRA_TRY(Open(request.database, StoreUse::kLook, clock));
  const auto at = PATRA_TRY(MomentOf(request, clock));
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& definition : PATRA_TRY(store->registry().Export(at))) {
    files.emplace_back(definition.Find("source")->text, infra::definitions::PrintYaml(definition));
  }
  const auto fields = PATRA_TRY(store->registry().Fields());
  files.emplace_back("dictionary/fields",
                     infra::definitions::PrintYaml(domain::FieldDictionaryFile(fields)));
  return files;
}

}  // namespace patra::boot
