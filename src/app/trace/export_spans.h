// Sends spans to a collector, on a thread of its own: whoever makes them waits for nothing, and a collector that is away costs no
// more than the spans that it does not get.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/port/meters.h"
#include "app/port/span_sink.h"
#include "app/port/transport.h"

namespace patra::app {

// Lives in real time, as Repeater does. Thread-safe.
class ExportSpans final : public SpanSink {
 public:
  static constexpr std::size_t kWaitingMax = 4'096;  // what comes beyond is dropped, and counted
  static constexpr std::size_t kSpansPerRequest = 512;

  // `url` takes OTLP over HTTP. `process` tells whose spans these are.
  ExportSpans(std::string url, std::string process, Transport& transport, Meters& meters);
  // Sends what waits once more, and drops it where that fails.
  ~ExportSpans() override;
  ExportSpans(const ExportSpans&) = delete;
  ExportSpans& operator=(const ExportSpans&) = delete;

  void Take(Span span) override;

 private:
  void Run();
  // Whether they are done with: taken, or refused for good.
  bool Send(const std::vector<Span>& spans);
  void Drop(std::size_t spans);

  const std::string url_;
  const std::string process_;
  Transport& transport_;
  Meters& meters_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Span> waiting_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace patra::app
