// Counters and histograms of what this process does, for those who watch it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace patra::app {

// A gauge says how something stands; what is added to the others adds up.
enum class MeterKind { kCounter, kHistogram, kGauge };

struct Meter {
  std::string_view name;  // "patra_ingest_batches_total"
  std::string_view help;
  MeterKind kind = MeterKind::kCounter;
};

using MeterLabels = std::vector<std::pair<std::string, std::string>>;

// Thread-safe. Never fails, and never keeps more than so many different labels of a meter: what comes beyond counts
// together, as "other".
class Meters {
 public:
  static constexpr std::size_t kLabelSetsMax = 2'000;

  virtual ~Meters() = default;

  // `meter` outlives this.
  virtual void Add(const Meter& meter, const MeterLabels& labels, double value) = 0;

  // How things stood before says nothing any more.
  virtual void ForgetGauges() = 0;
};

class NoMeters final : public Meters {
 public:
  void Add(const Meter&, const MeterLabels&, double) override {}
  void ForgetGauges() override {}
};

}  // namespace patra::app
