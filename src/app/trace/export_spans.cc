#include "app/trace/export_spans.h"

#include "app/metrics/meter_rows.h"
#include "app/trace/otlp_json.h"

namespace patra::app {
namespace {

// Spans that come together go together.
constexpr auto kGather = std::chrono::milliseconds(500);
constexpr auto kPauseAfterFailure = std::chrono::seconds(5);
constexpr Duration kAnswerWithin = std::chrono::seconds(2);

}  // namespace

ExportSpans::ExportSpans(std::string url, std::string process, Transport& transport, Meters& meters)
    : url_(std::move(url)),
      process_(std::move(process)),
      transport_(transport),
      meters_(meters),
      thread_([this] { Run(); }) {}

ExportSpans::~ExportSpans() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ExportSpans::Take(Span span) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < kWaitingMax) {
      waiting_.push_back(std::move(span));
      return;
    }
  }
  Drop(1);
}

void ExportSpans::Run() {
  std::unique_lock lock(mutex_);
  bool has_failed = false;
  while (!is_over_ || (!waiting_.empty() && !has_failed)) {
    const auto pause = has_failed ? std::chrono::milliseconds(kPauseAfterFailure) : kGather;
    wake_.wait_for(lock, pause, [&] { return is_over_; });
    has_failed = false;
    while (!waiting_.empty() && !has_failed) {
      const auto count = std::min(waiting_.size(), kSpansPerRequest);
      const std::vector<Span> spans(waiting_.begin(),
                                    waiting_.begin() + static_cast<std::ptrdiff_t>(count));
      lock.unlock();
      has_failed = !Send(spans);
      lock.lock();
      if (!has_failed)
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }
  Drop(waiting_.size());
}

bool ExportSpans::Send(const std::vector<Span>& spans) {
  const HttpRequest request{.method = "POST",
                            .url = url_,
                            .headers = {{"Content-Type", "application/json"}},
                            .body = OtlpJson(spans, process_),
                            .way = {.connect_timeout = kAnswerWithin,
                                    .read_timeout = kAnswerWithin,
                                    .total_timeout = kAnswerWithin,
                                    .body_bytes_max = std::size_t{1} << 20}};
  const auto response = transport_.Send(request);
  const bool is_later = !response || response->status == 429 || response->status >= 500;
  if (is_later) return false;
  if (response->status >= 300) Drop(spans.size());
  return true;
}

void ExportSpans::Drop(std::size_t spans) {
  if (spans > 0) meters_.Add(kTracesDropped, {}, static_cast<double>(spans));
}

}  // namespace patra::app
