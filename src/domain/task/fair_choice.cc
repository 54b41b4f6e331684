#include "domain/task/fair_choice.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace patra::domain {

std::vector<Id> ChooseFairly(std::span<const LaneBacklog> backlogs, const FairnessLimits& limits) {
  struct Candidate {
    const LaneBacklog* backlog;
    int chosen = 0;

    std::size_t next() const { return static_cast<std::size_t>(chosen); }

    const QueuedTask& head() const { return backlog->tasks[next()]; }
    auto Rank() const {
      return std::tuple(head().priority, backlog->running + chosen, head().scheduled_at, head().id);
    }
  };
  std::vector<Candidate> candidates;
  for (const auto& backlog : backlogs) {
    if (!backlog.tasks.empty()) candidates.push_back({&backlog});
  }

  std::vector<Id> chosen;
  const auto room =
      limits.at_once.in_all.value_or(std::numeric_limits<int>::max()) - limits.running_in_all;
  while (std::ssize(chosen) < std::min(limits.tasks_max, room)) {
    std::erase_if(candidates, [&](const Candidate& candidate) {
      const auto here = candidate.backlog->running_here + candidate.chosen;
      const auto at_once = limits.at_once.Of(candidate.backlog->key);
      const auto running = candidate.backlog->running + candidate.chosen;
      return here >= limits.running_per_lane_max || (at_once && running >= *at_once) ||
             candidate.next() >= candidate.backlog->tasks.size();
    });
    if (candidates.empty()) break;
    auto& best = *std::ranges::min_element(candidates, {}, &Candidate::Rank);
    chosen.push_back(best.head().id);
    ++best.chosen;
  }
  return chosen;
}

}  // namespace patra::domain
