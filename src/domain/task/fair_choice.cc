#include "domain/task/fair_choice.h"

#include <algorithm>
#include <tuple>

namespace patra::domain {

std::vector<Id> ChooseFairly(std::span<const PartitionBacklog> backlogs, int running_in_all,
                             const FairnessLimits& limits) {
  struct Candidate {
    const PartitionBacklog* backlog;
    int running;
    std::size_t next = 0;

    const QueuedTask& head() const { return backlog->tasks[next]; }
    auto Rank() const {
      return std::tuple(head().priority, running, head().scheduled_at, head().id);
    }
  };
  std::vector<Candidate> candidates;
  for (const auto& backlog : backlogs) {
    if (!backlog.tasks.empty()) candidates.push_back({&backlog, backlog.running});
  }

  const auto room = std::min(limits.tasks_max, limits.running_max - running_in_all);
  std::vector<Id> chosen;
  while (static_cast<int>(chosen.size()) < room) {
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return candidate.running >= limits.running_per_partition_max ||
             candidate.next >= candidate.backlog->tasks.size();
    });
    if (candidates.empty()) break;
    auto& best = *std::ranges::min_element(candidates, {}, &Candidate::Rank);
    chosen.push_back(best.head().id);
    ++best.next;
    ++best.running;
  }
  return chosen;
}

}  // namespace patra::domain
