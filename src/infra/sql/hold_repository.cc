#include "infra/sql/hold_repository.h"

#include <fmt/format.h>

#include "app/port/adjustment_repository.h"
#include "base/canonical_json.h"
#include "domain/alert/alert_kind.h"
#include "infra/sql/alert_table.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/fuse_table.h"
#include "infra/sql/pause_table.h"

namespace patra::infra::sql {
namespace {

std::string Named(const std::string& provenance, const std::string& endpoint) {
  return provenance + "/" + endpoint;
}

// What somebody has put right.
std::string DetailsOf(const std::vector<domain::Fuse>& blown) {
  if (blown.empty()) return "{}";
  const auto& fuse = blown.front();
  return CanonicalJson(Value::Object{{"fuse", fmt::to_string(fuse.id)},
                                     {"blownAt", FormatRfc3339(fuse.blown_at)},
                                     {"reason", fuse.reason},
                                     {"evidence", ParseJson(fuse.evidence).value_or(Value())}});
}

// People know of their own pauses; of one that self-healing made and cannot end, they have to hear.
bool NeedsPerson(const domain::Hold& pause, const app::Decision& decision) {
  return decision.actor.way == domain::Way::kHealing && !pause.until;
}

}  // namespace

Result<void> HoldRepository::Pause(const domain::Hold& pause, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(pause_table::Put(session, pause, decision, now));
    if (NeedsPerson(pause, decision))
      PATRA_TRY(alert_table::Raise(
          session,
          domain::AlertOf(domain::AlertKind::kPausedByHealing, {pause.provenance, pause.endpoint},
                          pause.reason, CanonicalJson(Value::Object{{"reason", pause.reason}})),
          ids_.Next(), now));
    return audit_table::Insert(session, "PAUSE", "SOURCE", Named(pause.provenance, pause.endpoint),
                               decision, ids_.Next(), now);
  });
}

Result<void> HoldRepository::Resume(const std::string& provenance, const std::string& endpoint,
                                    const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    if (!PATRA_TRY(pause_table::Remove(session, provenance, endpoint))) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("{} is not paused", Named(provenance, endpoint)));
    }
    return EndPause(session, {provenance, endpoint}, decision);
  });
}

Result<void> HoldRepository::Forgive(const std::string& provenance, const std::string& endpoint,
                                     const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    // Somebody else was faster.
    if (!PATRA_TRY(pause_table::RemoveHealing(session, provenance, endpoint))) return {};
    return EndPause(session, {provenance, endpoint}, decision);
  });
}

// REQUIRES: it is over
Result<void> HoldRepository::EndPause(Session& session, const domain::AlertAbout& about,
                                      const app::Decision& decision) {
  const auto now = clock_.Now();
  PATRA_TRY(alert_table::Resolve(
      session, domain::AlertKey(domain::AlertKind::kPausedByHealing, about), now));
  return audit_table::Insert(session, "RESUME", "SOURCE", Named(about.source, about.endpoint),
                             decision, ids_.Next(), now);
}

Result<void> HoldRepository::Blow(const domain::Hold& fuse, const std::string& evidence) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(fuse_table::Blow(session, fuse, evidence, ids_.Next(), now));
    return alert_table::Raise(
        session,
        domain::AlertOf(domain::AlertKind::kFuseBlown, {fuse.provenance, fuse.endpoint},
                        fuse.reason, evidence),
        ids_.Next(), now);
  });
}

Result<void> HoldRepository::Reset(const std::string& provenance, const std::string& endpoint,
                                   const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    const auto blown = PATRA_TRY(
        fuse_table::List(session, {.source = provenance, .endpoint = endpoint, .fuses_max = 1}));
    if (!PATRA_TRY(fuse_table::Reset(session, provenance, endpoint, decision, now))) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("no fuse of {} has blown", Named(provenance, endpoint)));
    }
    PATRA_TRY(alert_table::Resolve(
        session, domain::AlertKey(domain::AlertKind::kFuseBlown, {provenance, endpoint}), now));
    return audit_table::Insert(session, "RESET_FUSE", "SOURCE", Named(provenance, endpoint),
                               decision, ids_.Next(), now, DetailsOf(blown));
  });
}

Result<std::vector<domain::Fuse>> HoldRepository::Fuses(const domain::FuseFilter& filter) {
  return database_.Read([&](Session& session) { return fuse_table::List(session, filter); });
}

Result<std::vector<domain::Hold>> HoldRepository::Holds(domain::Role role) {
  return database_.Read([&](Session& session) { return HoldsIn(session, role, clock_.Now()); });
}

Result<std::vector<domain::Hold>> HoldRepository::HoldsIn(Session& session, domain::Role role,
                                                          Instant now) {
  auto holds = PATRA_TRY(pause_table::Read(session, role, now));
  for (auto& fuse : PATRA_TRY(fuse_table::Read(session))) holds.push_back(std::move(fuse));
  return holds;
}

}  // namespace patra::infra::sql
