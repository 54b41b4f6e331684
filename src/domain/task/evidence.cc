#include "domain/task/evidence.h"

#include <iterator>
#include <utility>

#include "base/plain_text.h"
#include "base/utf8.h"

namespace patra::domain {
namespace {

constexpr std::size_t kFirstOnesMax = FailedTries::kKeptMax / 2;

std::int64_t Millis(Duration duration) { return duration / std::chrono::milliseconds(1); }

Value::Object FailuresByLevel(const RequestsSent& sent) {
  constexpr auto kLevels =
      std::to_array({ErrorLevel::kL1, ErrorLevel::kL2, ErrorLevel::kL3, ErrorLevel::kL4});
  Value::Object counts;
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (sent.failed.at(i) > 0) counts[std::string(Code(kLevels.at(i)))] = sent.failed.at(i);
  }
  return counts;
}

}  // namespace

void RequestsSent::CountFailed(ErrorLevel level) {
  if (level != ErrorLevel::kNone) ++failed.at(static_cast<std::size_t>(level) - 1);
}

RequestsSent& RequestsSent::operator+=(const RequestsSent& more) {
  requests += more.requests;
  retries += more.retries;
  throttled += more.throttled;
  waited += more.waited;
  backed_off += more.backed_off;
  latency += more.latency;
  met += more.met;
  for (std::size_t i = 0; i < failed.size(); ++i) failed.at(i) += more.failed.at(i);
  return *this;
}

RequestsSent& RequestsSent::operator-=(const RequestsSent& less) {
  requests -= less.requests;
  retries -= less.retries;
  throttled -= less.throttled;
  waited -= less.waited;
  backed_off -= less.backed_off;
  latency -= less.latency;
  met -= less.met;
  for (std::size_t i = 0; i < failed.size(); ++i) failed.at(i) -= less.failed.at(i);
  return *this;
}

void FailedTries::Add(FailedTry failed) {
  failed.reason = BeginningOf(Spelled(failed.reason), kReasonBytesMax);
  if (kept_.size() == kKeptMax)
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(kFirstOnesMax));
  kept_.push_back(std::move(failed));
  ++count_;
}

void FailedTries::Append(const FailedTries& later) {
  for (const auto& failed : later.kept_) Add(failed);
  count_ += later.count_ - std::ssize(later.kept_);
}

Value FailedTries::ToValue() const {
  Value::Array list;
  for (const auto& failed : kept_) {
    Value::Object entry{{"at", FormatRfc3339(failed.at)},
                        {"batchNo", failed.batch_no},
                        {"level", Code(failed.level)},
                        {"reason", failed.reason},
                        {"backoffMs", Millis(failed.backed_off)}};
    if (failed.status != 0) entry["status"] = failed.status;
    list.emplace_back(std::move(entry));
  }
  return list;
}

void Evidence::Append(Evidence later) {
  if (!later.request.empty()) {
    request = std::move(later.request);
    response = std::move(later.response);
    status = later.status;
    latency = later.latency;
  }
  if (!later.credential.empty()) credential = std::move(later.credential);
  sent += later.sent;
  failures.Append(later.failures);
}

void Evidence::AddTo(Value::Object& stats) const {
  stats["reqCount"] = sent.requests;
  stats["retryCount"] = sent.retries;
  stats["429Count"] = sent.throttled;
  stats["waitTotalMs"] = Millis(sent.waited);
  stats["backoffTotalMs"] = Millis(sent.backed_off);
  sent.met.AddTo(stats);
  stats["selfHealing"] = Value::Object{{"qpsDownshift", sent.met.slowed > 0},
                                       {"circuitOpen", sent.met.opened > 0},
                                       {"pageSizeShrink", are_pages_smaller},
                                       {"concurrencyDownshift", are_requests_fewer},
                                       {"reslice", is_recut}};
  stats["errors"] = failures.ToValue();
  stats["errorCounts"] = FailuresByLevel(sent);
}

}  // namespace patra::domain
