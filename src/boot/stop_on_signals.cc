#include "boot/stop_on_signals.h"

#include <unistd.h>

#include <atomic>

namespace patra::boot {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<app::StopRequest*> g_stop{nullptr};
std::atomic<int> g_signal{0};

void OnSignal(int signal) {
  if (g_signal.exchange(signal) != 0) _exit(128 + signal);
  if (auto* stop = g_stop.load()) stop->Ask();
}

}  // namespace

StopOnSignals::StopOnSignals(app::StopRequest& stop) {
  g_stop.store(&stop);
  struct sigaction action{};
  action.sa_handler = OnSignal;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
}

StopOnSignals::~StopOnSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  g_stop.store(nullptr);
}

std::optional<int> StopOnSignals::Signal() {
  const int signal = g_signal.load();
  return signal == 0 ? std::nullopt : std::optional(signal);
}

void StopOnSignals::Note(int signal) { g_signal.store(signal); }

}  // namespace patra::boot
