#include "infra/log/sampled_log.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace patra::infra::log {
namespace {

// Of each batch, or of each request.
constexpr auto kOften = std::to_array<std::string_view>({"batch.committed", "request.settled"});

}  // namespace

void SampledLog::Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
                       const Value::Object& details) {
  const bool is_often = level < app::LogLevel::kWarn && lineage.run != 0 &&
                        std::ranges::find(kOften, event) != kOften.end();
  if (is_often && !IsChosen(lineage.run)) return;
  log_->Write(level, event, lineage, details);
}

bool SampledLog::IsChosen(Id run) const {
  constexpr std::uint64_t kParts = 1'000'000;
  const auto part = MixBits(static_cast<std::uint64_t>(run)) % kParts;
  return static_cast<double>(part) < share_ * static_cast<double>(kParts);
}

}  // namespace patra::infra::log
