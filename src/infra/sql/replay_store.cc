#include "infra/sql/replay_store.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "domain/item/record_diff.h"
#include "infra/sql/archived_batches.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/item_table.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/run_table.h"
#include "infra/sql/take_in.h"
#include "infra/sql/task_table.h"

namespace patra::infra::sql {
namespace {

constexpr int kIdsMax = 1'000'000;
constexpr int kOpenIdsMax = 10'000;  // more than anybody asks for at a time

// A batch that came to nothing answered no id: what it asked for is what was open then.
Result<std::vector<std::string>> IdsOf(Session& session, const app::RecordedBatch& batch) {
  const auto slice = batch.lineage.slice;
  const auto id = batch.lineage.batch;
  if (!batch.before || !batch.before->is_detail)
    return enumerated_id_table::FoundBy(session, slice, id, kIdsMax);
  if (domain::IsCommitted(batch.status))
    return enumerated_id_table::AnsweredBy(session, slice, id, kIdsMax);
  return enumerated_id_table::OpenBefore(session, slice, id, batch.before->token.value_or(""),
                                         kOpenIdsMax);
}

std::string KeyOf(const app::RecordedBatch& batch) {
  return fmt::format("{}/{}", batch.lineage.run, batch.lineage.batch);
}

Value StatsOf(const domain::RecordCounts& counts) {
  return Value::Object{{"retCount", counts.received},
                       {"inserted", counts.inserted},
                       {"updated", counts.updated},
                       {"skipped", counts.unchanged + counts.stale},
                       {"remarks", "a replay"}};
}

}  // namespace

Result<app::RecordedBatch> ReplayStore::Read(Id run, Id batch) {
  return database_.Read([&](Session& session) -> Result<app::RecordedBatch> {
    auto recorded = PATRA_TRY(archived_batches::FindRecorded(session, archived_, run, batch));
    if (!recorded) {
      return Fail(ErrorCode::kNotFound, fmt::format("run {} has no batch {}", run, batch), {},
                  fmt::format("`patra batch list --run {}` shows those it has", run));
    }
    auto task = PATRA_TRY(task_table::Read(session, recorded->task));
    PATRA_TRY(batch_table::AddContext(session, task.lineage.slice, *recorded));
    app::RecordedBatch found{.task = std::move(task),
                             .lineage = {},
                             .batch_no = recorded->batch_no,
                             .status = recorded->status,
                             .before = std::move(recorded->before),
                             .after = std::move(recorded->after),
                             .ids = {},
                             .counts = recorded->counts,
                             .records_before = recorded->records_before,
                             .http_status = recorded->http_status,
                             .error = std::move(recorded->error),
                             .request_digest = std::move(recorded->request_digest),
                             .response_digest = std::move(recorded->response_digest),
                             .fingerprint = std::move(recorded->fingerprint),
                             .expr_hash = std::move(recorded->expr_hash),
                             .expression = std::move(recorded->expression),
                             .signature = std::move(recorded->signature),
                             .committed_at = recorded->committed_at,
                             .raw_page = std::nullopt};
    found.lineage = found.task.lineage;
    found.lineage.run = run;
    found.lineage.batch = batch;
    found.ids = PATRA_TRY(IdsOf(session, found));
    if (found.ids.empty()) {
      auto kept = PATRA_TRY(archived_.IdsOf(session, batch));
      const bool is_detail = found.before && found.before->is_detail;
      if (kept) found.ids = std::move(is_detail ? kept->answered : kept->found);
    }
    auto page = archived_batches::ReadPage(session, archived_, batch);
    if (!page && page.error().code != ErrorCode::kNotFound) return std::unexpected(page.error());
    if (page) found.raw_page = *std::move(page);
    return found;
  });
}

Result<std::vector<std::optional<domain::StoredItem>>> ReplayStore::Stored(
    const domain::Lane& lane, std::span<const std::string> ids) {
  using Found = std::vector<std::optional<domain::StoredItem>>;
  return database_.Read([&](Session& session) -> Result<Found> {
    const std::vector<std::string_view> views(ids.begin(), ids.end());
    const auto stored =
        PATRA_TRY(item_table::Read(session, lane, views, item_table::With::kFields));
    Found found;
    found.reserve(ids.size());
    for (const auto& id : ids) {
      const auto item = stored.find(id);
      found.push_back(item == stored.end() ? std::nullopt : std::optional(item->second));
    }
    return found;
  });
}

Result<std::int64_t> ReplayStore::Isolate(const app::Isolation& isolation) {
  return database_.Write([&](Session& session) -> Result<std::int64_t> {
    const auto now = clock_.Now();
    const auto& batch = isolation.batch;
    auto known = PATRA_TRY(quarantine_table::FindReplayed(session, batch.lineage.batch));
    std::int64_t isolated = 0;
    for (const auto& record : isolation.records) {
      const bool is_new =
          known.open.emplace(record.id.value_or(""), quarantine_table::Packed(record.bytes)).second;
      if (!is_new) continue;
      const quarantine_table::Origin origin{batch.task, batch.lineage, batch.batch_no,
                                            known.last_record_no + 1, isolation.fetched_at};
      const auto met =
          PATRA_TRY(quarantine_table::InsertAll(session, origin, {&record, 1}, ids_, now));
      if (met.front() != quarantine_table::Met::kFirst) continue;
      ++known.last_record_no;
      ++isolated;
    }
    if (isolated == 0) return isolated;
    PATRA_TRY(audit_table::Insert(session, "REPLAY_ISOLATE", "BATCH",
                                  fmt::to_string(batch.lineage.batch), isolation.decision,
                                  ids_.Next(), now, isolation.details));
    return isolated;
  });
}

Result<app::ReplayCommitted> ReplayStore::Commit(const app::ReplayCommit& commit) {
  return database_.Write([&](Session& session) -> Result<app::ReplayCommitted> {
    const auto now = clock_.Now();
    const auto& [lineage, lane] = std::tie(commit.batch.lineage, commit.batch.task.lane);
    const auto stored = PATRA_TRY(item_table::Read(session, lane, domain::IdsToRead(commit.records),
                                                   item_table::With::kFields));
    // What says nothing new leaves its row as it is.
    std::vector<domain::Record> news;
    for (const auto& record : commit.records) {
      const auto before = stored.find(record.id);
      const auto diff =
          PATRA_TRY(domain::Compare(before == stored.end() ? nullptr : &before->second, record));
      if (diff.differs()) news.push_back(record);
    }
    app::ReplayCommitted committed;
    const auto run = ids_.Next();
    // The batch itself was told under its own key.
    const auto intake = PATRA_TRY(TakeIn(session,
                                         {.lane = lane,
                                          .expr_hash = commit.batch.task.slice_expr_hash,
                                          .batch = lineage.batch,
                                          .dedup_key = fmt::format("replay/{}", run),
                                          .correlation = lineage.correlation},
                                         news, ids_, now));
    committed.counts = intake.counts;
    committed.counts.received = std::ssize(commit.records);
    committed.counts.unchanged += std::ssize(commit.records) - std::ssize(news);
    if (intake.inserted.empty() && intake.updated.empty()) return committed;
    committed.run = run;
    PATRA_TRY(WriteRun(session, commit, committed, now));
    return committed;
  });
}

Result<void> ReplayStore::WriteRun(Session& session, const app::ReplayCommit& commit,
                                   const app::ReplayCommitted& committed, Instant now) {
  const auto& batch = commit.batch;
  PATRA_TRY(run_table::InsertReplay(session, committed.run, batch.task,
                                    CanonicalJson(Value::Object{{"replay", KeyOf(batch)}}),
                                    CanonicalJson(StatsOf(committed.counts)), now));
  return audit_table::Insert(session, "REPLAY_COMMIT", "BATCH", fmt::to_string(batch.lineage.batch),
                             commit.decision, ids_.Next(), now, commit.details);
}

}  // namespace patra::infra::sql
