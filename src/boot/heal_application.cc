#include "boot/heal_application.h"

#include <tuple>

#include <fmt/format.h>

#include "app/heal/reset_fuse.h"
#include "app/quarantine/decide_quarantine.h"
#include "app/source/resolve_source.h"
#include "base/moment.h"
#include "boot/configuration.h"
#include "boot/engine.h"
#include "boot/open_store.h"
#include "boot/operator_name.h"
#include "boot/source_application.h"
#include "domain/heal/heal_settings.h"
#include "infra/gate/rate_gate.h"

namespace patra::boot {
namespace {

using adapter::cli::QuarantineReport;
using adapter::cli::QuarantineRequest;

constexpr int kKindsMax = 1'000;

// Of a command that is about one endpoint.
Result<std::pair<std::string, std::string>> EndpointOf(const std::string& text) {
  auto target = app::TargetOf(text);
  if (!target.endpoint) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' names no endpoint", text), {},
                "write SOURCE/ENDPOINT");
  }
  return std::pair(std::move(target.source), *std::move(target.endpoint));
}

app::Decision DecisionFor(const std::string& reason) {
  return {.actor = OperatorName(), .reason = reason};
}

Result<std::vector<Id>> Matching(app::QuarantineRepository& quarantine,
                                 const QuarantineRequest& request) {
  std::vector<Id> ids;
  for (const auto& entry : PATRA_TRY(quarantine.List(request.filter, 0, request.records_max)))
    ids.push_back(entry.id);
  return ids;
}

Result<app::QuarantineDecided> DecideOne(app::DecideQuarantine& decide, Id id,
                                         const QuarantineRequest& request) {
  const auto decision = DecisionFor(request.reason);
  switch (request.kind) {
    case QuarantineRequest::Kind::kApprove:
      return decide.Approve({.id = id, .item_id = request.item_id, .fields = request.fields},
                            decision);
    case QuarantineRequest::Kind::kReject:
      return decide.Reject(id, decision);
    case QuarantineRequest::Kind::kRetry:
      break;
  }
  return decide.Retry(id, decision);
}

}  // namespace

Result<std::vector<domain::QuarantineEntry>> HealApplication::ListQuarantine(
    const std::string& database, const domain::QuarantineFilter& filter, int entries_max) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  return open->store->quarantine().List(filter, 0, entries_max);
}

Result<std::vector<domain::QuarantineKind>> HealApplication::CountQuarantine(
    const std::string& database, domain::QuarantineStatus status) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  return open->store->quarantine().CountKinds(status, kKindsMax);
}

Result<domain::QuarantinedBytes> HealApplication::ShowQuarantine(const std::string& database,
                                                                 Id id) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  auto found = PATRA_TRY(open->store->quarantine().Find(id));
  if (found) return *std::move(found);
  return Fail(ErrorCode::kNotFound, fmt::format("nothing is quarantined as {}", id), {},
              "see `patra quarantine list`");
}

Result<std::vector<domain::DefinitionNode>> HealApplication::Definitions(
    CommandStore& open, const std::string& sources_folder) {
  return app::WithFolder(PATRA_TRY(open.store->registry().Export(open.clock.Now())), files_,
                         SourceApplication::FolderOf(sources_folder));
}

Result<std::vector<QuarantineReport>> HealApplication::DecideQuarantine(
    const QuarantineRequest& request) {
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  auto& quarantine = open->store->quarantine();
  app::CompiledSources sources;
  const auto current_spec = [&](const domain::Lane& lane) -> Result<domain::SpecSnapshot> {
    const auto definitions = PATRA_TRY(Definitions(*open, request.sources_folder));
    auto source = app::ResolveSource(definitions, {.target = lane.provenance + "/" + lane.endpoint,
                                                   .operation = lane.operation});
    if (!source) return std::unexpected(source.error().front());
    return std::move(source->spec);
  };
  app::DecideQuarantine decide(quarantine, sources, current_spec);

  std::vector<QuarantineReport> reports;
  const auto ids = request.all ? PATRA_TRY(Matching(quarantine, request)) : request.ids;
  for (const auto id : ids) {
    auto decided = DecideOne(decide, id, request);
    QuarantineReport report{.id = id};
    if (decided) {
      report.decided = *decided;
    } else {
      report.problem = std::move(decided).error();
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

Result<bool> HealApplication::ReleaseId(const adapter::cli::TargetRequest& request) {
  const auto [source, endpoint] = PATRA_TRY(EndpointOf(request.target));
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  return open->store->quarantine().ReleaseId(source, endpoint, request.item_id,
                                             DecisionFor(request.reason));
}

Result<std::vector<domain::Hold>> HealApplication::ListFuses(const std::string& database) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  auto holds = PATRA_TRY(open->store->holds().Holds(domain::Role::kExecutor));
  std::erase_if(holds, [](const domain::Hold& hold) { return !hold.is_fuse; });
  return holds;
}

Result<void> HealApplication::ResetFuse(const adapter::cli::TargetRequest& request) {
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  const auto address = PATRA_TRY(StoreAddress::OfExisting(request.database));
  const auto gate = PATRA_TRY(
      infra::gate::RateGate::Open(address.gate_file(), open->store->gate_ledger(), open->clock));
  return app::ResetFuse(open->store->holds(), *gate, app::TargetOf(request.target),
                        DecisionFor(request.reason));
}

Result<bool> HealApplication::AddSignal(const adapter::cli::SignalRequest& request) {
  auto signal = request.signal;
  std::tie(signal.provenance, signal.endpoint) = PATRA_TRY(EndpointOf(request.target));
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  PATRA_TRY(app::CheckTarget(PATRA_TRY(Definitions(*open, request.sources_folder)),
                             app::TargetOf(request.target)));
  return open->store->signals().Add(signal);
}

Result<std::vector<domain::Signal>> HealApplication::ListSignals(const std::string& database,
                                                                 const std::string& status,
                                                                 int signals_max) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  return open->store->signals().List(status, signals_max);
}

Result<std::vector<domain::HealEntry>> HealApplication::HealLog(const std::string& database,
                                                                const std::string& source,
                                                                const std::string& since,
                                                                int entries_max) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  const auto from = PATRA_TRY(ParseMoment(since, open->clock.Now()));
  return open->store->journal().List(source, from, entries_max);
}

Result<std::vector<domain::HealEntry>> HealApplication::HealRun(const std::string& database,
                                                                const std::string& configuration) {
  PATRA_TRY(StoreAddress::OfExisting(database));
  SystemClock clock;
  EngineOptions options{.database = database};
  PATRA_TRY(Configure(configuration, files_, options));
  const auto engine = PATRA_TRY(Engine::Open(options, clock));
  return engine->heal().Run();
}

Result<app::SettingsReport> HealApplication::HealPolicy(const std::string& configuration) {
  auto read = PATRA_TRY(ReadConfiguration(configuration, files_));
  return app::SettingsReport{.configuration = std::move(read.file),
                             .problems = std::move(read.problems),
                             .settings = domain::HealSettings(read.settings.heal)};
}

Result<std::vector<domain::Adjustment>> HealApplication::ListAdjustments(
    const std::string& database) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  return open->store->adjustments().List();
}

Result<bool> HealApplication::TakeBackAdjustment(const adapter::cli::TargetRequest& request) {
  const auto [source, endpoint] = PATRA_TRY(EndpointOf(request.target));
  const auto kind = domain::FindCode<domain::AdjustmentKind>(request.adjustment);
  if (!kind) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("nothing of the kind '{}' is adjusted", request.adjustment), {},
                "see `patra heal adjustments`");
  }
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  return open->store->adjustments().TakeBack(source, endpoint, *kind, DecisionFor(request.reason));
}

}  // namespace patra::boot
