#include "app/service/duty.h"

namespace patra::app {

void Duty::RunIfDue() {
  if (not_before_ && clock_.Elapsed() < *not_before_) return;
  while (!stop_.asked()) {
    const auto more = round_();
    if (!more) return Fail(more.error());
    Succeed();
    if (!*more) return;
  }
}

void Duty::Fail(const Error& error) {
  ++failures_;
  not_before_ = clock_.Elapsed() + rules_.pause.After(failures_);
  health_.Failing(rules_.part, error);
  if (failures_ > 1) return;
  log_.Write(LogLevel::kError, "service.failing", {},
             {{"part", rules_.part}, {"reason", error.Describe()}});
}

void Duty::Succeed() {
  health_.Well(rules_.part);
  not_before_.reset();
  if (failures_ == 0) return;
  log_.Write(LogLevel::kInfo, "service.recovered", {},
             {{"part", rules_.part}, {"failures", std::int64_t{failures_}}});
  failures_ = 0;
}

}  // namespace patra::app
