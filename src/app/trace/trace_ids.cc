#include "app/trace/trace_ids.h"

#include <fmt/format.h>

#include "base/random.h"

namespace patra::app {
namespace {

// All zeros is no id.
std::string Hex(std::uint64_t bits) { return fmt::format("{:016x}", bits | 1); }

}  // namespace

std::string TraceOfRun(Id task, Id run) {
  const auto bits = static_cast<std::uint64_t>(run);
  return Hex(MixBits(bits)) + Hex(MixBits(bits ^ MixBits(static_cast<std::uint64_t>(task))));
}

std::string TraceOfTrigger(Id trigger) {
  return Hex(HashText(fmt::format("trigger {}", trigger))) +
         Hex(MixBits(static_cast<std::uint64_t>(trigger)));
}

std::string SpanOfTask(Id run) { return Hex(HashText(fmt::format("task of {}", run))); }

std::string SpanOfRun(Id run) { return Hex(HashText(fmt::format("run {}", run))); }

std::string SpanOfBatch(Id run, std::int64_t batch_no) {
  return Hex(HashText(fmt::format("batch {}/{}", run, batch_no)));
}

std::string SpanOfRequest(Id run, std::int64_t batch_no, int request_no, Instant at) {
  return Hex(HashText(
      fmt::format("{}/{}/{}/{}", run, batch_no, request_no, at.time_since_epoch().count())));
}

std::string SpanOfTrigger(Id trigger) { return Hex(HashText(fmt::format("plan of {}", trigger))); }

std::string SpanOfSlice(Id slice) { return Hex(HashText(fmt::format("slice {}", slice))); }

std::string TraceParent(const std::string& trace, const std::string& span) {
  return fmt::format("00-{}-{}-01", trace, span);
}

}  // namespace patra::app
