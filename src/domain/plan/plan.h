// What a trigger turns into: a plan over a window, cut into slices, one task per slice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/plan/expression.h"
#include "domain/plan/slice_spec.h"
#include "domain/word/lane.h"
#include "domain/word/window.h"

namespace patra::domain {

// Where a watermark lives. HARVEST shares one per query; BACKFILL and UPDATE have their own (I6).
struct CursorNamespace {
  std::string scope = "EXPR";  // GLOBAL, EXPR or CUSTOM
  std::string key;             // hash of what the scope distinguishes
  std::string cursor_key;      // the watermark's field, such as updated_at

  friend bool operator==(const CursorNamespace&, const CursorNamespace&) = default;
};

// One firing of a trigger: the root of every lineage (I1).
struct Trigger {
  Id id = 0;
  std::string scheduler = "INTERNAL";
  std::optional<std::string> job_id{};  // the scheduler's own names for what fired
  std::optional<std::string> log_id{};
  std::string type = "MANUAL";  // SCHEDULE, MANUAL or API
  Instant fired_at;
  Value params = Value::Object{};
  Lane lane;
  std::string correlation{};  // see CorrelationOf
};

// What follows a trigger through every table, log line and message: the id that its scheduler has for the firing, so that it is
// found on both sides, or else its own.
std::string CorrelationOf(Id trigger, const std::optional<std::string>& scheduler_log_id);

struct Plan {
  Id id = 0;
  Id trigger_id = 0;
  std::string key;
  Lane lane;
  std::string query_hash;
  CursorNamespace cursor;
  std::string snapshot;         // canonical JSON of the Spec Snapshot (I2)
  std::string snapshot_hash;    // spec_fingerprint
  std::string config = "{}";    // see provenance_config.h
  std::string origins = "[]";   // where the values of the snapshot came from, canonical JSON
  std::string expr_proto_hash;  // of what shapes requests and the reading of answers
  std::string slice_strategy = "TIME";
  Value slice_params = Value::Object{};  // what a planner needs to go on cutting alike
  Window window;
  int priority = 5;
  Value remarks = Value::Object{};
  std::string rate_key{};          // of its tasks
  std::optional<int> at_once{};    // of its tasks
  std::string correlation{};       // of its trigger
  Value wishes = Value::Object{};  // of the trigger that has these tasks made
  ExpressionPrototype
      expression{};  // that its slices ask with; whoever cuts takes it from the snapshot
};

// The part of a plan's window that one task walks, and how.
struct Slice {
  Id id = 0;
  int number = 0;  // from 1 within the plan
  Window window;
  std::string spec;            // slice_spec, canonical JSON
  std::string signature_hash;  // the same signature is the same slice
  std::string expr_snapshot;   // the snapshot localised to this slice, canonical JSON
  std::string expr_hash;
};

struct Task {
  Id id = 0;
  std::string idempotent_key;
  std::string params =
      "{}";  // canonical JSON: bounds, start and phase of its slice, and the trigger's wishes
  Instant scheduled_at;
  std::string rate_key{};          // whose allowance its requests count against
  std::int64_t requests_left = 1;  // that it is expected to take
  std::optional<int> at_once{};    // how many of its plan's tasks run at a time
};

struct SliceWithTask {
  Slice slice;
  Task task;
};

// What is asked for, as part of keys: the provider's own syntax, or nothing for everything.
std::string QueryHash(const std::optional<std::string>& query);

// The same source, query and window give the same key, so that a repeated trigger finds its plan.
std::string PlanKey(const Lane& lane, std::string_view query_hash, const Window& window);

// HARVEST's watermark belongs to the query, not to the definition's text: editing a title path must
// not restart it.
CursorNamespace HarvestNamespace(const Lane& lane, std::string_view query_hash,
                                 std::string_view cursor_key);

// Watermark of an activity of its own, such as one backfill: `activity` says what distinguishes it.
CursorNamespace ActivityNamespace(const Lane& lane, std::string_view query_hash,
                                  const Value& activity, std::string_view cursor_key);

// What its trigger wished, by the stored params of a task; nothing of one that was made without.
Value WishesIn(std::string_view task_params);

// The same signature is the same slice.
std::string SliceSignature(const Lane& lane, std::string_view expr_hash, const SliceSpec& spec);

// One slice of a plan with its task: localised expression, signature and key. Ids are left to the caller.
SliceWithTask MakeSlice(const Plan& plan, const SliceSpec& spec, int number, Instant scheduled_at);

// Cuts the window into slices of `width` with their keys; ids are left to the caller.
std::vector<SliceWithTask> CutByTime(const Plan& plan, Duration width, Instant scheduled_at);

}  // namespace patra::domain
