#include "base/id.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace patra {
namespace {

constexpr Instant kEpoch{std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}};
constexpr std::int64_t kSequences = 1 << IdGenerator::kSequenceBits;
constexpr int kMillisecondShift = IdGenerator::kNodeBits + IdGenerator::kSequenceBits;

std::int64_t MillisecondsSinceEpoch(Instant now) {
  return std::chrono::floor<std::chrono::milliseconds>(now - kEpoch).count();
}

}  // namespace

Result<Id> ParseId(std::string_view text) {
  Id id = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (problem != std::errc{} || end != text.data() + text.size() || id <= 0) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is not an id", text), {},
                "an id is a positive decimal number of at most 19 digits");
  }
  return id;
}

Instant TimeOf(Id id) { return kEpoch + std::chrono::milliseconds(id >> kMillisecondShift); }

IdGenerator::IdGenerator(const Clock& clock, std::uint64_t node)
    : clock_(clock), node_(static_cast<std::int64_t>(node % (1u << kNodeBits))) {}

Id IdGenerator::Next() {
  std::int64_t tick = 0;
  {
    const std::lock_guard lock(mutex_);
    tick = std::max(MillisecondsSinceEpoch(clock_.Now()) * kSequences, last_tick_ + 1);
    last_tick_ = tick;
  }
  const auto milliseconds = tick / kSequences;
  const auto sequence = tick % kSequences;
  return (milliseconds << kMillisecondShift) | (node_ << kSequenceBits) | sequence;
}

}  // namespace patra
