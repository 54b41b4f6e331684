#include "domain/retention/retention_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

// Whatever is younger may be under way, or be asked for by whoever looks at it.
constexpr Duration kYoungest = std::chrono::days(1);

const std::vector<SettingRow<RetentionPolicy>>& RetentionTable() {
  using R = RetentionPolicy;
  static const std::vector<SettingRow<R>> table{
      {.name = "archive_dir",
       .field = [](R& r) -> std::string& { return r.archive_dir; },
       .doc = "the folder that old rows are moved to, and read from; without it, the one beside a "
              "store that is a file"},
      {.name = "archive_daily",
       .field = [](R& r) -> bool& { return r.archive_daily; },
       .doc = "whether a service moves old batches, cursor events and raw pages there by itself"},
      {.name = "archive_after",
       .field = [](R& r) -> Duration& { return r.archive_after; },
       .doc = "how old batches, cursor events and raw pages are when they go to the archive"},
      {.name = "archive_gathers",
       .field = [](R& r) -> Duration& { return r.archive_gathers; },
       .doc = "how much longer a service waits with rows that fill no file yet, so that sources "
              "that bring little make few files"},
      {.name = "vault_max",
       .field = [](R& r) -> std::int64_t& { return r.vault_max; },
       .doc = "how many bytes the raw pages in the store may take; beyond that the oldest go, "
              "however young they are; 0: as many as there are",
       .least = 0},
      {.name = "vault_drops",
       .field = [](R& r) -> bool& { return r.vault_drops; },
       .doc = "whether pages beyond vault_max are deleted; else they go to the archive"},
      {.name = "gc_daily",
       .field = [](R& r) -> bool& { return r.gc_daily; },
       .doc = "whether a service deletes by itself what is older than the ages below"},
      {.name = "keep.changes",
       .field = [](R& r) -> Duration& { return r.keep_changes; },
       .doc = "changes of records that others can ask for; what a relay has still to send stays"},
      {.name = "keep.relay_log",
       .field = [](R& r) -> Duration& { return r.keep_relay_log; },
       .doc = "attempts to send changes"},
      {.name = "keep.audit",
       .field = [](R& r) -> Duration& { return r.keep_audit; },
       .doc = "decisions of people"},
      {.name = "keep.heal_log",
       .field = [](R& r) -> Duration& { return r.keep_heal_log; },
       .doc = "what self-healing saw and did"},
      {.name = "keep.alerts",
       .field = [](R& r) -> Duration& { return r.keep_alerts; },
       .doc = "alerts, from their end on"},
      {.name = "keep.executions",
       .field = [](R& r) -> Duration& { return r.keep_executions; },
       .doc = "what became of the firings of jobs, from their end on"},
      {.name = "keep.answers",
       .field = [](R& r) -> Duration& { return r.keep_answers; },
       .doc = "answers of the API to requests that may be sent again"},
      {.name = "keep.walks",
       .field = [](R& r) -> Duration& { return r.keep_walks; },
       .doc = "what walks remember of their pages, and the ids that they found, once nothing goes "
              "on with them"},
      {.name = "keep.refusals",
       .field = [](R& r) -> Duration& { return r.keep_refusals; },
       .doc = "moves that cursors did not follow"},
      {.name = "keep.signals",
       .field = [](R& r) -> Duration& { return r.keep_signals; },
       .doc = "signals that were acted upon"},
      {.name = "keep.minutes",
       .field = [](R& r) -> Duration& { return r.keep_minutes; },
       .doc = "sums of batches by the minute; after that they are by the hour"},
      {.name = "keep.hours",
       .field = [](R& r) -> Duration& { return r.keep_hours; },
       .doc = "sums of batches by the hour; after that they are by the day"},
      {.name = "keep.rollup",
       .field = [](R& r) -> Duration& { return r.keep_rollup; },
       .doc = "sums of batches at all"}};
  return table;
}

bool MayBeZero(std::string_view setting) {
  return setting.starts_with("keep.") || setting == "archive_gathers";
}

}  // namespace

Shape RetentionShape() { return ShapeOf(RetentionTable()); }

RetentionPolicy ReadRetentionPolicy(const DefinitionNode& checked, std::vector<Error>& problems) {
  auto policy = ReadSection(checked, "retention", RetentionTable(), problems);
  for (const auto& row : RetentionTable()) {
    const auto* field = std::get_if<SettingRow<RetentionPolicy>::Field<Duration>>(&row.field);
    if (field == nullptr) continue;
    auto& given = (*field)(policy);
    if (given >= kYoungest || (given == Duration{} && MayBeZero(row.name))) continue;
    problems.push_back({ErrorCode::kInvalidInput,
                        fmt::format("retention.{} cannot be {}", row.name, FormatDuration(given)),
                        checked.At(std::string("retention.") + row.name)->place,
                        MayBeZero(row.name) ? "a day at least, or 0s" : "a day at least"});
    RetentionPolicy usual;
    given = (*field)(usual);
  }
  return policy;
}

std::vector<Setting> ShowRetentionPolicy(const RetentionPolicy& policy) {
  return ShowSection(RetentionTable(), policy);
}

}  // namespace patra::domain
