#include "infra/sql/node_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/id.h"

namespace patra::infra::sql::node_table {
namespace {

constexpr int kNodesMax = (1 << IdGenerator::kNodeBits) - 1;

constexpr std::string_view kNewest = "SELECT coalesce(max(node_no), 0) FROM ing_node";

constexpr std::string_view kLongestFree = R"sql(
    SELECT node_no, leased_until FROM ing_node ORDER BY leased_until, node_no LIMIT 1)sql";

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_node (node_no, owner, leased_until) VALUES (:node_no, :owner, :until))sql";

constexpr std::string_view kTakeOver = R"sql(
    UPDATE ing_node SET owner = :owner, leased_until = :until WHERE node_no = :node_no)sql";

constexpr std::string_view kHold = R"sql(
    UPDATE ing_node SET leased_until = :until WHERE node_no = :node_no AND owner = :owner)sql";

}  // namespace

Result<int> Take(Session& session, const std::string& owner, Instant until, Instant now) {
  const auto newest = static_cast<int>(PATRA_TRY(session.Integer(kNewest)));
  if (newest < kNodesMax) {
    PATRA_TRY(session.Run(kInsert, {{"node_no", newest + 1}, {"owner", owner}, {"until", until}}));
    return newest + 1;
  }
  int node = 0;
  Instant free_from;
  {
    auto rows = PATRA_TRY(session.Query(kLongestFree));
    (void)PATRA_TRY(rows.Next());
    node = static_cast<int>(rows.Integer("node_no"));
    free_from = rows.Time("leased_until");
  }
  if (free_from >= now) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("{} processes on this store make ids, and there are no more numbers",
                            kNodesMax),
                {}, fmt::format("the next is free at {}", FormatRfc3339(free_from)));
  }
  PATRA_TRY(session.Run(kTakeOver, {{"node_no", node}, {"owner", owner}, {"until", until}}));
  return node;
}

Result<bool> HoldUntil(Session& session, int node, const std::string& owner, Instant until) {
  return PATRA_TRY(session.Run(kHold, {{"node_no", node}, {"owner", owner}, {"until", until}})) ==
         1;
}

}  // namespace patra::infra::sql::node_table
