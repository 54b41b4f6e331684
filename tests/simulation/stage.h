// A stage on which one actor acts at a time. Whoever comes next, how long calls take and who dies is drawn
// from a seed, so that a run can be repeated exactly.
//
// Actors are threads, because the code under test is straight-line code that blocks; but only one of them holds
// the baton, and it is handed on at the calls of ports. Time stands still while somebody acts and moves on when
// everybody sleeps.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/random.h"

namespace patra::testing {

// The actor's process is gone: whatever it had in memory is lost.
struct Crash {};

class Stage {
 public:
  Stage(std::uint64_t seed, Instant start) : random_(seed), start_(start) {}

  void Add(std::function<void()> body) { actors_.push_back({.body = std::move(body)}); }

  // Until every actor that was added has come to its end.
  void Run() {
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      actors_[i].thread = std::thread([this, i] {
        WaitForTurn(i);
        actors_[i].body();
        const std::lock_guard lock(mutex_);
        actors_[i].is_done = true;
        HandOn();
      });
    }
    {
      const std::lock_guard lock(mutex_);
      HandOn();
    }
    for (auto& actor : actors_) actor.thread.join();
    actors_.clear();
  }

  // At a call of a port: the baton may go to somebody else, and the actor may die, or hang for so long that others
  // take it for dead.
  void Step() {
    const bool hangs = random_.Chance(crash_chance_ / 2);
    Sleep(hangs ? std::chrono::seconds(random_.Between(10, 40))
                : Duration(random_.Between(0, 2'000)));
    if (random_.Chance(crash_chance_)) throw Crash();
  }
  void Sleep(Duration duration) {
    std::unique_lock lock(mutex_);
    const auto self = *current_;
    actors_[self].wakes_at = passed_ + duration;
    HandOn();
    turn_.wait(lock, [&] { return current_ == self; });
  }

  void SetCrashChance(double chance) { crash_chance_ = chance; }
  Instant Now() const { return start_ + passed_; }
  Duration Elapsed() const { return passed_; }
  Random& random() { return random_; }

 private:
  struct Actor {
    std::function<void()> body;
    Duration wakes_at{};
    bool is_done = false;
    std::thread thread{};
  };

  void WaitForTurn(std::size_t self) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return current_ == self; });
  }

  // To whoever wakes first; time moves on to that moment.
  void HandOn() {
    current_.reset();
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      if (actors_[i].is_done) continue;
      if (!current_ || actors_[i].wakes_at < actors_[*current_].wakes_at) current_ = i;
    }
    if (current_) passed_ = std::max(passed_, actors_[*current_].wakes_at);
    turn_.notify_all();
  }

  SeededRandom random_;
  const Instant start_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::vector<Actor> actors_;
  std::optional<std::size_t> current_;
  Duration passed_{};
  double crash_chance_ = 0;
};

class StageClock final : public Clock {
 public:
  explicit StageClock(Stage& stage) : stage_(stage) {}
  Instant Now() const override { return stage_.Now(); }
  Duration Elapsed() const override { return stage_.Elapsed(); }
  void SleepFor(Duration duration) override { stage_.Sleep(duration); }

 private:
  Stage& stage_;
};

}  // namespace patra::testing
