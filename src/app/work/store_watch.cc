#include "app/work/store_watch.h"

namespace patra::app {

void StoreWatch::Begin(int workers) {
  const std::lock_guard lock(mutex_);
  workers_ = workers;
  pace_.emplace(workers);
  allowed_ = workers;
}

void StoreWatch::Note(std::optional<Duration> took) {
  const std::lock_guard lock(mutex_);
  if (!pace_) return;
  const int before = pace_->allowed();
  pace_->Note(took);
  const int now = pace_->allowed();
  allowed_ = now;
  if (now == before) return;
  const bool is_less = now < before;
  if (!is_less && now < workers_) return;
  Value::Object details{
      {"store", "pace"}, {"workers", std::int64_t{now}}, {"of", std::int64_t{workers_}}};
  if (took) details["tookMs"] = static_cast<std::int64_t>(*took / std::chrono::milliseconds(1));
  log_.Write(is_less ? LogLevel::kWarn : LogLevel::kInfo, is_less ? "store.slow" : "store.quick",
             {}, details);
}

}  // namespace patra::app
