#include "boot/service_signals.h"

namespace patra::boot {

ServiceSignals::ServiceSignals() {
  sigemptyset(&ours_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ours_, signal);
  pthread_sigmask(SIG_BLOCK, &ours_, &before_);
}

ServiceSignals::~ServiceSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> ServiceSignals::Wait(Duration most) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec limit{
      .tv_sec = seconds.count(),
      .tv_nsec = std::chrono::duration_cast<std::chrono::nanoseconds>(most - seconds).count()};
  const int signal = sigtimedwait(&ours_, nullptr, &limit);
  return signal > 0 ? std::optional(signal) : std::nullopt;
}

}  // namespace patra::boot
