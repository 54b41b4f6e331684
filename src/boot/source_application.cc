#include "boot/source_application.h"

#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

#include "app/source/resolve_source.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/moment.h"
#include "base/random.h"
#include "boot/operator_name.h"
#include "boot/store_address.h"
#include "domain/spec/shape.h"
#include "infra/sql/hold_repository.h"
#include "infra/sql/registry.h"
#include "infra/sqlite/store.h"

namespace patra::boot {
namespace {

using adapter::cli::PauseRequest;

// "*": all of the source's.
std::string EndpointOf(const app::SourceTarget& target) { return target.endpoint.value_or("*"); }

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
  const auto file = PATRA_TRY(SqliteFile(request.database));
  const auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = file}, clock));
  IdGenerator ids(clock, HashText(OperatorName()));
  infra::sql::Registry registry(*store, ids);
  const auto folder = FolderOf(request.sources_folder);
  PATRA_TRY(app::CheckTarget(
      PATRA_TRY(app::WithFolder(PATRA_TRY(registry.Export(clock.Now())), files_, folder)), target));
  infra::sql::HoldRepository holds(*store, clock, ids);
  return holds.Pause({.provenance = target.source,
                      .endpoint = EndpointOf(target),
                      .reason = request.reason,
                      .until = until},
                     {.actor = OperatorName(), .reason = request.reason});
}

Result<bool> SourceApplication::ResumeSource(const PauseRequest& request) {
  const auto target = app::TargetOf(request.target);
  SystemClock clock;
  const auto file = PATRA_TRY(SqliteFile(request.database));
  const auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = file}, clock));
  IdGenerator ids(clock, HashText(OperatorName()));
  infra::sql::HoldRepository holds(*store, clock, ids);
  const auto resumed = holds.Resume(target.source, EndpointOf(target),
                                    {.actor = OperatorName(), .reason = request.reason});
  if (!resumed && resumed.error().code == ErrorCode::kNotFound) return false;
  if (!resumed) return std::unexpected(resumed.error());
  return true;
}

namespace {

// Store, ids and registry of one command.
struct OpenRegistry {
  SystemClock clock;
  std::unique_ptr<infra::sqlite::Store> store;
  std::optional<IdGenerator> ids;
  std::optional<infra::sql::Registry> registry;
};

Result<std::unique_ptr<OpenRegistry>> Open(const std::string& database) {
  auto open = std::make_unique<OpenRegistry>();
  const auto file = PATRA_TRY(SqliteFile(database));
  open->store = PATRA_TRY(infra::sqlite::Store::Open({.path = file}, open->clock));
  open->ids.emplace(open->clock, HashText(fmt::format("registry {}", getpid())));
  open->registry.emplace(*open->store, *open->ids);
  return open;
}

Result<Instant> MomentOf(const adapter::cli::RegistryRequest& request, const Clock& clock) {
  if (!request.from) return clock.Now();
  return ParseMoment(*request.from, clock.Now());
}

}  // namespace

Result<adapter::cli::RegistryReport> SourceApplication::ApplyToRegistry(
    const adapter::cli::RegistryRequest& request) {
  const auto loaded = PATRA_TRY(app::LoadForRegistry(files_, FolderOf(request.sources_folder)));
  if (!loaded.problems.empty()) return adapter::cli::RegistryReport{.problems = loaded.problems};
  const auto open = PATRA_TRY(Open(request.database));
  const auto from = PATRA_TRY(MomentOf(request, open->clock));
  adapter::cli::RegistryReport report;
  for (const auto& change : PATRA_TRY(open->registry->Apply(loaded.content, from)))
    report.changes.push_back(change.Describe());
  return report;
}

Result<adapter::cli::RegistryReport> SourceApplication::CompareWithRegistry(
    const adapter::cli::RegistryRequest& request) {
  const auto loaded = PATRA_TRY(app::LoadForRegistry(files_, FolderOf(request.sources_folder)));
  if (!loaded.problems.empty()) return adapter::cli::RegistryReport{.problems = loaded.problems};
  const auto open = PATRA_TRY(Open(request.database));
  adapter::cli::RegistryReport report;
  for (const auto& change : PATRA_TRY(open->registry->Diff(loaded.content)))
    report.changes.push_back(change.Describe());
  return report;
}

Result<std::vector<std::pair<std::string, std::string>>> SourceApplication::ExportRegistry(
    const adapter::cli::RegistryRequest& request) {
  const auto open = PATRA_TRY(Open(request.database));
  const auto at = PATRA_TRY(MomentOf(request, open->clock));
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& definition : PATRA_TRY(open->registry->Export(at))) {
    files.emplace_back(definition.Find("source")->text, infra::definitions::PrintYaml(definition));
  }
  const auto fields = PATRA_TRY(open->registry->Fields());
  files.emplace_back("dictionary/fields",
                     infra::definitions::PrintYaml(domain::FieldDictionaryFile(fields)));
  return files;
}

}  // namespace patra::boot
