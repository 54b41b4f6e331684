#include "domain/walk/judge_walk.h"

#include <fmt/format.h>

namespace patra::domain {

WalkVerdict JudgeWalk(const Walk& walk, const SlicesLikeIt& others) {
  using Kind = WalkVerdict::Kind;
  auto verdict = walk.Judge();
  const auto& [walks, account, earlier, edge] = walk.memory();
  const auto& usual = others.usual;
  const bool are_many_usual = usual && usual->mean > others.deviations_max * usual->deviation;
  const bool is_odd = account.rows == 0 && (are_many_usual || !others.was_any_empty) &&
                      !(earlier && earlier->rows == 0);
  const bool is_half = earlier && 2 * account.records < earlier->records;
  const bool has_half_vanished = 2 * account.total.value_or(0) < account.total_first.value_or(0);
  verdict.is_for_later = verdict.kind == Kind::kWalkAgain && has_half_vanished;
  if (verdict.kind != Kind::kProven || (!is_odd && !is_half)) return verdict;
  verdict.kind = Kind::kWalkAgain;
  verdict.is_for_later = true;
  verdict.reason =
      is_half ? fmt::format("{} records came, and {} a moment before", account.records,
                            earlier->records)
      : are_many_usual
          ? fmt::format("nothing came where about {:.0f} records are usual", usual->mean)
          : "nothing came, for the first time";
  return verdict;
}

}  // namespace patra::domain
