#include "app/work/tell_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/world_clock.h"

namespace patra::app::tell_task_test {

using namespace std::chrono_literals;

class KeptLines final : public Log {
 public:
  void Write(LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object& details) override {
    lines.emplace(event, details);
  }
  const std::string& Text(const std::string& event, const std::string& name) const {
    return *lines.at(event).at(name).AsString();
  }

  std::map<std::string, Value::Object> lines;
};

TEST(TellTask, NamesTheEndOfTheLeaseAndTheSlotWheneverATaskComesOrLeaves) {
  VirtualClock clock{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  const auto window = *domain::Window::Between(clock.Now() - 1h, clock.Now());
  const LeasedTask task{.fence = 7,
                        .leased_until = clock.Now() + 15s,
                        .plan_window = window,
                        .slice = {.window = window}};
  const HeldTask held{.task = task, .claimed_at = clock.Elapsed(), .slot = 3};
  KeptLines log;
  TellTask(LogLevel::kInfo, "task.claimed", held, "w", LeaseEnd(held, {}, 15s, clock), {}, log);
  EXPECT_EQ(log.Text("task.claimed", "leasedUntil"), FormatRfc3339(task.leased_until));

  clock.Advance(20s);
  const auto renewed_at = clock.Elapsed();
  const auto renewed_until = clock.Now() + 15s;
  clock.Advance(2s);
  TellTask(LogLevel::kInfo, "task.released", held, "w", LeaseEnd(held, renewed_at, 15s, clock),
           {{"status", "SUCCEEDED"}}, log);
  EXPECT_EQ(log.Text("task.released", "leasedUntil"), FormatRfc3339(renewed_until));
  EXPECT_EQ(log.Text("task.released", "status"), "SUCCEEDED");
  for (const auto& [event, details] : log.lines) {
    EXPECT_EQ(*details.at("slot").AsInteger(), 3) << event;
    EXPECT_EQ(*details.at("fence").AsInteger(), 7) << event;
    EXPECT_EQ(*details.at("owner").AsString(), "w") << event;
  }
}

}  // namespace patra::app::tell_task_test
