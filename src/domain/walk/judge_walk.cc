#include "domain/walk/judge_walk.h"

#include <array>
#include <span>

#include <fmt/format.h>

namespace patra::domain {
namespace {

using namespace std::chrono_literals;

// How long after each walk that saw the same the next one looks again. Providers are restarted within seconds, and fall back
// to an empty index for minutes.
constexpr auto kWhereNothingIsKnown = std::to_array<Duration>({1s, 10s});
constexpr auto kWhereRecordsWere = std::to_array<Duration>({1s, 15s, 60s, 240s});

}  // namespace

WalkVerdict JudgeWalk(const Walk& walk, const SlicesLikeIt& others) {
  using Kind = WalkVerdict::Kind;
  auto verdict = walk.Judge();
  const auto& memory = walk.memory();
  const auto& account = memory.account;
  const auto& usual = others.usual;
  const bool has_half_vanished = 2 * account.total.value_or(0) < account.total_first.value_or(0);
  if (verdict.kind == Kind::kWalkAgain && has_half_vanished)
    verdict.again_after = kWhereRecordsWere.front();
  if (verdict.kind != Kind::kProven) return verdict;

  const bool is_half = 2 * account.records < memory.records_most;
  const bool is_empty = account.rows == 0;
  const bool are_many_usual = usual && usual->mean > others.deviations_max * usual->deviation;
  const bool is_odd = is_empty && (are_many_usual || !others.was_any_empty);
  if (!is_half && !is_odd) return verdict;
  const auto waits = is_half || are_many_usual ? std::span<const Duration>(kWhereRecordsWere)
                                               : std::span<const Duration>(kWhereNothingIsKnown);
  const auto alike = static_cast<std::size_t>(memory.alike_by_now());
  if (alike > waits.size()) return verdict;
  verdict.kind = Kind::kWalkAgain;
  verdict.again_after = waits[alike - 1];
  verdict.reason =
      is_half ? fmt::format("{} records came, and {} before", account.records, memory.records_most)
      : are_many_usual
          ? fmt::format("nothing came where about {:.0f} records are usual", usual->mean)
          : "nothing came, for the first time";
  return verdict;
}

}  // namespace patra::domain
