// Reads several tables for one purpose: these statements belong to no table alone. All of them are found by an index and end
// with a LIMIT, whatever the store holds.
#include "infra/sql/runbook.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::infra::sql {
namespace {

constexpr int kNamedMax = 10;
constexpr Duration kLately = std::chrono::days(1);

// What others go by: the index that makes tasks unique, that by which plans of a snapshot are found, and whose a task is.
constexpr auto kIndexes = std::to_array<std::string_view>({"uk_task_idem", "idx_plan_fingerprint"});

constexpr PerDialect kHasIndex{
    .sqlite = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = :name",
    .mysql =
        "SELECT count(*) FROM information_schema.statistics WHERE table_schema = DATABASE() "
        "AND index_name = :name"};
constexpr PerDialect kHasColumn{
    .sqlite = "SELECT count(*) FROM pragma_table_info(:table) WHERE name = :name",
    .mysql =
        "SELECT count(*) FROM information_schema.columns WHERE table_schema = DATABASE() "
        "AND table_name = :table AND column_name = :name"};

constexpr std::string_view kDictionary = R"sql(
    SELECT type.type_code, type.allow_custom_items, count(item.id) AS items
    FROM sys_dict_type AS type LEFT JOIN sys_dict_item AS item ON item.type_id = type.id AND item.enabled = 1
    GROUP BY type.id, type.type_code, type.allow_custom_items ORDER BY type.type_code LIMIT 1000)sql";

constexpr std::string_view kExpired = R"sql(
    SELECT id, lease_owner, leased_until FROM ing_task INDEXED BY idx_task_leased
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND leased_until < :now
    ORDER BY leased_until LIMIT :named_max)sql";

constexpr std::string_view kNewestFailed = R"sql(
    SELECT run_id, id, batch_no, coalesce(error, '') AS error, committed_at
    FROM ing_task_run_batch INDEXED BY idx_batch_failed_time
    WHERE status_code = 'FAILED' AND committed_at >= :since ORDER BY committed_at DESC LIMIT 1)sql";

constexpr std::string_view kFared = R"sql(
    SELECT coalesce(sum(records), 0) AS records, coalesce(sum(inserted), 0) AS inserted,
           coalesce(sum(updated), 0) AS updated, coalesce(sum(quarantined), 0) AS quarantined,
           coalesce(sum(requests), 0) AS requests, coalesce(sum(failed_l1), 0) AS l1, coalesce(sum(failed_l2), 0) AS l2,
           coalesce(sum(failed_l3), 0) AS l3, coalesce(sum(failed_l4), 0) AS l4
    FROM ing_batch_rollup WHERE minute >= :since)sql";

constexpr std::string_view kFurthestBehind = R"sql(
    SELECT provenance_code, endpoint_name, normalized_instant FROM ing_cursor INDEXED BY idx_cursor_sort_time
    WHERE cursor_type_code = 'TIME' AND operation_code = 'HARVEST' AND normalized_instant IS NOT NULL
    ORDER BY normalized_instant LIMIT :named_max)sql";

std::string Share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return fmt::to_string(part);
  return fmt::format("{} of {} ({:.2f} %)", part, whole,
                     100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Result<app::StoreAnswer> IsMadeAsItShouldBe(Session& session) {
  app::StoreAnswer answer{.question = "is it made as others go by"};
  const auto note = [&](bool is_there, const std::string& what) {
    answer.lines.push_back(fmt::format("{}: {}", what, is_there ? "there" : "MISSING"));
    answer.is_wrong = answer.is_wrong || !is_there;
  };
  for (const auto name : kIndexes) {
    note(PATRA_TRY(session.Integer(session.In(kHasIndex), {{"name", name}})) > 0,
         fmt::format("index {}", name));
  }
  note(PATRA_TRY(session.Integer(session.In(kHasColumn),
                                 {{"table", "ing_task"}, {"name", "provenance_code"}})) > 0,
       "whose a task is (ing_task.provenance_code)");
  return answer;
}

Result<app::StoreAnswer> AreCodesThere(Session& session) {
  app::StoreAnswer answer{.question = "does the dictionary have its codes"};
  std::int64_t types = 0;
  std::int64_t items = 0;
  auto rows = PATRA_TRY(session.Query(kDictionary));
  while (PATRA_TRY(rows.Next())) {
    ++types;
    items += rows.Integer("items");
    const bool is_empty = rows.Integer("items") == 0 && rows.Integer("allow_custom_items") == 0;
    if (!is_empty) continue;
    answer.is_wrong = true;
    answer.lines.push_back(fmt::format("{} has no code that is enabled", rows.View("type_code")));
  }
  answer.is_wrong = answer.is_wrong || types == 0;
  answer.lines.insert(answer.lines.begin(), fmt::format("{} codes of {} types", items, types));
  return answer;
}

Result<app::StoreAnswer> WhoseLeaseHasRunOut(Session& session, Instant now) {
  app::StoreAnswer answer{.question = "which tasks have a lease that has run out"};
  auto rows = PATRA_TRY(session.Query(kExpired, {{"now", now}, {"named_max", kNamedMax}}));
  while (PATRA_TRY(rows.Next())) {
    answer.lines.push_back(fmt::format("task {} of {}, since {}", rows.Integer("id"),
                                       rows.Text("lease_owner"),
                                       FormatRfc3339(rows.Time("leased_until"))));
  }
  if (answer.lines.empty()) {
    answer.lines.emplace_back("none");
  } else {
    answer.lines.emplace_back("whoever works next takes them up: `patra work --drain`");
  }
  return answer;
}

Result<app::StoreAnswer> WhatCanBeAskedAgain(Session& session, Instant now) {
  app::StoreAnswer answer{.question = "which batch failed last"};
  auto rows = PATRA_TRY(session.Query(kNewestFailed, {{"since", now - 30 * kLately}}));
  if (!PATRA_TRY(rows.Next())) {
    answer.lines.emplace_back("none within 30 days");
    return answer;
  }
  answer.lines.push_back(fmt::format("{}/{} at {}: {}", rows.Integer("run_id"), rows.Integer("id"),
                                     FormatRfc3339(rows.Time("committed_at")), rows.Text("error")));
  answer.lines.push_back(fmt::format("`patra batch show {0}/{1}`, `patra replay {0}/{1}`",
                                     rows.Integer("run_id"), rows.Integer("id")));
  return answer;
}

Result<app::StoreAnswer> HowMuchFails(Session& session, Instant now) {
  app::StoreAnswer answer{.question = "how much fails, over the last day"};
  const Instant since = std::chrono::floor<std::chrono::minutes>(now - kLately);
  auto rows = PATRA_TRY(session.Query(kFared, {{"since", since}}));
  if (!PATRA_TRY(rows.Next())) return answer;
  answer.lines.push_back(fmt::format("records in quarantine: {}, {} stored",
                                     Share(rows.Integer("quarantined"), rows.Integer("records")),
                                     rows.Integer("inserted") + rows.Integer("updated")));
  answer.lines.push_back(fmt::format(
      "requests that brought no page: {}; L1 {}, L2 {}, L3 {}, L4 {}",
      Share(rows.Integer("l1") + rows.Integer("l2") + rows.Integer("l3") + rows.Integer("l4"),
            rows.Integer("requests")),
      rows.Integer("l1"), rows.Integer("l2"), rows.Integer("l3"), rows.Integer("l4")));
  return answer;
}

Result<app::StoreAnswer> HowFarBehind(Session& session, Instant now) {
  app::StoreAnswer answer{.question = "how far behind are harvests"};
  auto rows = PATRA_TRY(session.Query(kFurthestBehind, {{"named_max", kNamedMax}}));
  while (PATRA_TRY(rows.Next())) {
    const auto lag = std::max(now - rows.Time("normalized_instant"), Duration::zero());
    answer.lines.push_back(
        fmt::format("{}/{}: {} s ({})", rows.Text("provenance_code"), rows.Text("endpoint_name"),
                    lag / std::chrono::seconds(1),
                    FormatDuration(std::chrono::floor<std::chrono::seconds>(lag))));
  }
  if (answer.lines.empty()) answer.lines.emplace_back("nothing was harvested yet");
  return answer;
}

}  // namespace

Result<std::vector<app::StoreAnswer>> AskRunbook(Session& session, Instant now) {
  std::vector<app::StoreAnswer> answers;
  answers.push_back(PATRA_TRY(IsMadeAsItShouldBe(session)));
  answers.push_back(PATRA_TRY(AreCodesThere(session)));
  answers.push_back(PATRA_TRY(WhoseLeaseHasRunOut(session, now)));
  answers.push_back(PATRA_TRY(WhatCanBeAskedAgain(session, now)));
  answers.push_back(PATRA_TRY(HowMuchFails(session, now)));
  answers.push_back(PATRA_TRY(HowFarBehind(session, now)));
  return answers;
}

}  // namespace patra::infra::sql
