#include "infra/sql/promotion.h"

#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>

#include "infra/sql/compare_tables.h"
#include "infra/sql/item_views.h"
#include "infra/sql/promotion_table.h"

namespace patra::infra::sql {
namespace {

using promotion_table::Direction;

struct Staying {
  std::string_view table;
  std::string_view why;
};
constexpr auto kStaying = std::to_array<Staying>({
    {"ing_promotion", "says of each store where it goes and where it came from"},
    {"patra_schema", "the changes that this database itself has seen"},
    {"patra_schema_step", "how far a change of this database has come"},
    {"patra_lock", "what transactions of this server take turns by"},
    {"patra_commit", "what connections to this server have committed"},
});

// What a new store has in them is what its schema was made with, or who once opened it: no data.
constexpr auto kFilledWhenNew =
    std::to_array<std::string_view>({"sys_dict_type", "sys_dict_item", "sys_dict_item_alias",
                                     "reg_expr_field_dict", "ing_node", "ing_mask_key"});

// Executors beat every few seconds, and whoever counts them goes by the same.
constexpr Duration kExecutorAliveWithin = std::chrono::minutes(1);

constexpr std::string_view kAliveExecutor = R"sql(
    SELECT owner, host, last_seen_at FROM ing_executor WHERE last_seen_at >= :since LIMIT 1)sql";

constexpr std::string_view kNewestSchema = "SELECT max(number) FROM patra_schema";

bool IsAmong(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

std::string NewMoveKey() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

// The state of both, as far as they know of each other.
struct Standing {
  std::string key;
  std::int64_t schema = 0;
  bool is_begun = false;     // the source says so
  bool has_moved = false;    // the source says so
  bool has_target = false;   // the target says so
  bool is_finished = false;  // the target says so
};

Result<Standing> StandingOf(Session& session, const std::string& target) {
  if (const auto in = PATRA_TRY(promotion_table::Find(session, Direction::kIn));
      in && in->state == promotion_table::kFilling)
    PATRA_TRY(promotion_table::CheckOpen(session));
  Standing standing{.key = NewMoveKey(), .schema = PATRA_TRY(session.Integer(kNewestSchema))};
  const auto out = PATRA_TRY(promotion_table::Find(session, Direction::kOut));
  if (!out) return standing;
  if (out->other != target) PATRA_TRY(promotion_table::CheckOpen(session));
  if (out->schema != standing.schema && out->state == promotion_table::kMoving) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the promotion was begun with schema {}, and the store has {} by now",
                            out->schema, standing.schema),
                {},
                "give it up with `patra db promote --abandon`, and begin anew into another "
                "database");
  }
  standing.key = out->key;
  standing.is_begun = true;
  standing.has_moved = out->state == promotion_table::kMoved;
  return standing;
}

std::unexpected<Error> NotEmpty(const std::string& name, std::string_view why) {
  return Fail(ErrorCode::kConflict, fmt::format("{} {}", name, why), {},
              "a store is moved into an empty database only: name another, or drop this one "
              "yourself");
}

// The target is new, or what this promotion has left there.
Result<void> Admit(Session& session, const std::string& name, Standing& standing) {
  if (const auto out = PATRA_TRY(promotion_table::Find(session, Direction::kOut)))
    return NotEmpty(name, "is itself a store that moves or has moved to " + out->other);
  if (const auto in = PATRA_TRY(promotion_table::Find(session, Direction::kIn))) {
    const bool is_filling = in->state == promotion_table::kFilling;
    if (in->key == standing.key) {
      standing.has_target = true;
      standing.is_finished = !is_filling;
      return {};
    }
    return NotEmpty(name, is_filling ? "holds a promotion of " + in->other +
                                           " that is not finished, or was given up"
                                     : "is the store that " + in->other + " was moved to");
  }
  if (standing.has_moved) {
    return Fail(
        ErrorCode::kConflict,
        fmt::format("the store was moved to {}, and what is there now knows nothing of it", name),
        {}, "look for the database, or a backup of it");
  }
  for (const auto& table : PATRA_TRY(StoredTablesOf(session))) {
    if (!WhyItStays(table.name).empty() || IsAmong(kFilledWhenNew, table.name)) continue;
    if (!PATRA_TRY(TableAccess(table, session.dialect()).IsEmpty(session)))
      return NotEmpty(name, "is not empty: it has rows in " + table.name);
  }
  return {};
}

Result<void> CheckNobodyWorks(Session& session, Instant now) {
  auto rows = PATRA_TRY(session.Query(kAliveExecutor, {{"since", now - kExecutorAliveWithin}}));
  if (!PATRA_TRY(rows.Next())) return {};
  return Fail(
      ErrorCode::kUnavailable,
      fmt::format("an executor works on this store: {} on {}, seen at {}", rows.View("owner"),
                  rows.View("host"), FormatRfc3339(rows.Time("last_seen_at"))),
      {}, "stop it first; one that died counts as gone after a minute");
}

// From here on the source takes no changes.
Result<void> Close(const PromotedStore& source, const std::string& target,
                   const Standing& standing) {
  return source.database.Write(LockScope::Mover(), [&](Session& session) -> Result<void> {
    const auto now = source.clock.Now();
    PATRA_TRY(promotion_table::CheckOpen(session));
    PATRA_TRY(CheckNobodyWorks(session, now));
    return promotion_table::Insert(session, Direction::kOut,
                                   {.key = standing.key,
                                    .state = std::string(promotion_table::kMoving),
                                    .other = target,
                                    .schema = standing.schema},
                                   now);
  });
}

Result<void> Prepare(const PromotedStore& target, const std::string& source,
                     const Standing& standing) {
  return target.database.Write(LockScope::Mover(), [&](Session& session) -> Result<void> {
    auto seen = standing;
    PATRA_TRY(Admit(session, target.name, seen));
    if (seen.has_target) return {};  // by somebody who was faster
    for (const auto& table : PATRA_TRY(StoredTablesOf(session))) {
      if (IsAmong(kFilledWhenNew, table.name))
        PATRA_TRY(TableAccess(table, session.dialect()).Clear(session));
    }
    return promotion_table::Insert(session, Direction::kIn,
                                   {.key = standing.key,
                                    .state = std::string(promotion_table::kFilling),
                                    .other = source,
                                    .schema = standing.schema},
                                   target.clock.Now());
  });
}

// A table on both sides, its columns in the same order.
struct Pair {
  TableAccess source;
  TableAccess target;
};

Result<Pair> PairOf(StoredTable source, const StoredTable& target, const PromotedStore& from,
                    Dialect source_dialect, Dialect target_dialect) {
  StoredTable ordered{.name = target.name, .columns = {}, .key = target.key};
  for (const auto& column : target.columns) {
    const auto found = std::ranges::find(source.columns, column.name, &StoredColumn::name);
    if (found != source.columns.end()) ordered.columns.push_back(*found);
  }
  if (ordered.columns.size() != target.columns.size() ||
      source.columns.size() != target.columns.size() || target.key.empty()) {
    return Fail(
        ErrorCode::kCorruption,
        fmt::format("{} has other columns in {} than the schema makes", target.name, from.name), {},
        "what was added by hand has to be taken out before the store can be moved");
  }
  return Pair{TableAccess(std::move(ordered), source_dialect), TableAccess(target, target_dialect)};
}

struct Known {
  std::vector<StoredTable> tables;
  Dialect dialect = Dialect::kSqlite;
};

Result<Known> KnownOf(Database& database) {
  return database.Read([](Session& session) -> Result<Known> {
    return Known{PATRA_TRY(StoredTablesOf(session)), session.dialect()};
  });
}

Result<std::vector<Pair>> PairsOf(const PromotedStore& source, const PromotedStore& target) {
  const auto ours = PATRA_TRY(KnownOf(source.database));
  const auto theirs = PATRA_TRY(KnownOf(target.database));
  std::vector<Pair> pairs;
  for (const auto& table : theirs.tables) {
    if (!WhyItStays(table.name).empty()) continue;
    const auto found = std::ranges::find(ours.tables, table.name, &StoredTable::name);
    if (found == ours.tables.end()) continue;
    pairs.push_back(PATRA_TRY(PairOf(*found, table, source, ours.dialect, theirs.dialect)));
  }
  std::ranges::sort(pairs, {}, [](const Pair& pair) { return pair.source.table().name; });
  return pairs;
}

// Goes on behind the last row that is there. Another process at the same would add the same row, which one of both cannot.
Result<void> CopyTable(const Pair& pair, const PromotedStore& source, const PromotedStore& target,
                       const RowsBound& bound, const OnRows& on_rows) {
  auto last =
      PATRA_TRY(target.database.Read([&](Session& session) { return pair.target.Last(session); }));
  for (std::int64_t copied = 0;;) {
    auto rows = PATRA_TRY(source.database.Read([&](Session& session) {
      return pair.source.ReadAfter(session, last ? &*last : nullptr, bound);
    }));
    if (rows.empty()) return {};
    const auto written = target.database.Write(
        LockScope::Mover(),
        [&](Session& session) -> Result<void> { return pair.target.Insert(session, rows); });
    if (!written && written.error().code == ErrorCode::kDuplicate) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("{}: rows are there already that were not a moment ago",
                              pair.source.table().name),
                  {}, "another process moves the same store: let it finish");
    }
    if (!written) {
      const auto where = fmt::format("copying {} from {} on", pair.source.table().name,
                                     DescribeKey(pair.source.table(), rows.front()));
      return std::unexpected(Error(written.error()).While(where));
    }
    copied += static_cast<std::int64_t>(rows.size());
    on_rows(copied);
    last = std::move(rows.back());
  }
}

Result<std::vector<std::string>> NotOurs(const PromotedStore& source, const PromotedStore& target) {
  const auto names_in = [](const PromotedStore& store) {
    return store.database.Read([](Session& session) { return TableAndViewNames(session); });
  };
  const auto theirs = PATRA_TRY(names_in(target));
  std::vector<std::string> left;
  const auto ours = PATRA_TRY(names_in(source));
  for (const auto& name : ours) {
    if (WhyItStays(name).empty() && !IsAmong(theirs, name)) left.push_back(name);
  }
  return left;
}

// First the one that is left, so that no two take changes at any moment.
Result<void> Finish(const PromotedStore& source, const PromotedStore& target,
                    const Standing& standing) {
  const auto move = [&](const PromotedStore& store, Direction direction, std::string_view from,
                        std::string_view to) {
    return store.database.Write(LockScope::Mover(), [&](Session& session) {
      return promotion_table::Move(session, direction, standing.key, from, to, store.clock.Now());
    });
  };
  if (!standing.has_moved)
    PATRA_TRY(move(source, Direction::kOut, promotion_table::kMoving, promotion_table::kMoved));
  return move(target, Direction::kIn, promotion_table::kFilling, promotion_table::kFilled);
}

}  // namespace

std::string_view WhyItStays(std::string_view table) {
  const auto* found = std::ranges::find(kStaying, table, &Staying::table);
  return found == kStaying.end() ? std::string_view() : found->why;
}

Result<contract::StorePromotion> Promote(const PromotedStore& source, const PromotedStore& target,
                                         const OnPromotion& on_progress, const RowsBound& bound) {
  contract::StorePromotion report{.source = source.name, .target = target.name};
  if (source.name == target.name)
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} is both source and target", source.name));
  auto standing = PATRA_TRY(
      source.database.Read([&](Session& session) { return StandingOf(session, target.name); }));
  standing = PATRA_TRY(target.database.Read([&](Session& session) -> Result<Standing> {
    auto seen = standing;
    PATRA_TRY(Admit(session, target.name, seen));
    return seen;
  }));
  if (standing.is_finished) {
    report.was_done_before = true;
    return report;
  }
  if (!standing.is_begun) PATRA_TRY(Close(source, target.name, standing));
  if (!standing.has_target) PATRA_TRY(Prepare(target, source.name, standing));

  const auto pairs = PATRA_TRY(PairsOf(source, target));
  for (const auto& pair : pairs) {
    const auto& name = pair.source.table().name;
    PATRA_TRY(CopyTable(pair, source, target, bound, [&](std::int64_t rows) {
      on_progress(PromotionStage::kCopy, name, rows);
    }));
  }
  for (const auto& pair : pairs) {
    const auto& name = pair.source.table().name;
    const auto tell = [&](std::int64_t rows) { on_progress(PromotionStage::kCompare, name, rows); };
    tell(0);
    report.tables.push_back(PATRA_TRY(CompareTables({source.database, pair.source},
                                                    {target.database, pair.target}, bound, tell)));
  }
  if (!report.is_done()) return report;
  PATRA_TRY(target.database.Write(LockScope::Mover(),
                                  [](Session& session) { return ItemViews::MakeAll(session); }));
  report.not_ours = PATRA_TRY(NotOurs(source, target));
  PATRA_TRY(Finish(source, target, standing));
  return report;
}

Result<std::string> GiveUpPromotion(const PromotedStore& source) {
  return source.database.Write(LockScope::Mover(), [](Session& session) -> Result<std::string> {
    const auto out = PATRA_TRY(promotion_table::Find(session, Direction::kOut));
    if (!out) return Fail(ErrorCode::kNotFound, "this store is not being moved");
    if (out->state == promotion_table::kMoved) {
      return Fail(
          ErrorCode::kConflict,
          fmt::format("this store has moved to {}, where it may have changed since", out->other),
          {}, "what is there can be moved back into a new database");
    }
    PATRA_TRY(promotion_table::Remove(session, Direction::kOut, out->key));
    return out->other;
  });
}

}  // namespace patra::infra::sql
