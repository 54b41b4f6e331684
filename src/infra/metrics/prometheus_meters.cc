#include "infra/metrics/prometheus_meters.h"

#include <map>
#include <mutex>
#include <set>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace patra::infra::metrics {
namespace {

using Labels = std::map<std::string, std::string>;

// Milliseconds: answers within the machine, of quick and slow providers, and tasks of minutes and hours.
const prometheus::Histogram::BucketBoundaries& Boundaries() {
  static const prometheus::Histogram::BucketBoundaries boundaries{
      5,     10,    25,     50,     100,    250,     500,      1'000,
      2'500, 5'000, 10'000, 30'000, 60'000, 300'000, 3'600'000};
  return boundaries;
}

}  // namespace

class PrometheusMeters::Registered {
 public:
  void Add(const app::Meter& meter, const app::MeterLabels& given, double value) {
    const std::lock_guard lock(mutex_);
    const auto labels = Bounded(meter, given);
    const std::string name(meter.name);
    if (meter.kind == app::MeterKind::kGauge) {
      auto& family =
          prometheus::BuildGauge().Name(name).Help(std::string(meter.help)).Register(*gauges_);
      family.Add(labels).Set(value);
      return;
    }
    if (meter.kind == app::MeterKind::kHistogram) {
      auto& family = prometheus::BuildHistogram()
                         .Name(name)
                         .Help(std::string(meter.help))
                         .Register(*registry_);
      family.Add(labels, Boundaries()).Observe(value);
    } else {
      auto& family =
          prometheus::BuildCounter().Name(name).Help(std::string(meter.help)).Register(*registry_);
      family.Add(labels).Increment(value);
    }
  }

  void ForgetGauges() {
    const std::lock_guard lock(mutex_);
    gauges_ = MakeRegistry();
  }

  std::string Text() const {
    const std::lock_guard lock(mutex_);
    const prometheus::TextSerializer serializer;
    return serializer.Serialize(registry_->Collect()) + serializer.Serialize(gauges_->Collect());
  }

 private:
  // Whoever makes up names, of sources for instance, does not fill the memory.
  Labels Bounded(const app::Meter& meter, const app::MeterLabels& given) {
    Labels labels(given.begin(), given.end());
    auto& known = known_[std::string(meter.name)];
    if (known.contains(labels)) return labels;
    if (known.size() >= app::Meters::kLabelSetsMax) {
      for (auto& [name, text] : labels) text = "other";
      return labels;
    }
    known.insert(labels);
    return labels;
  }

  static std::unique_ptr<prometheus::Registry> MakeRegistry() {
    return std::make_unique<prometheus::Registry>(prometheus::Registry::InsertBehavior::Merge);
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::set<Labels>> known_;
  const std::unique_ptr<prometheus::Registry> registry_ = MakeRegistry();
  std::unique_ptr<prometheus::Registry> gauges_ = MakeRegistry();
};

PrometheusMeters::PrometheusMeters() : registered_(std::make_unique<Registered>()) {}
PrometheusMeters::~PrometheusMeters() = default;

void PrometheusMeters::Add(const app::Meter& meter, const app::MeterLabels& labels, double value) {
  registered_->Add(meter, labels, value);
}

void PrometheusMeters::ForgetGauges() { registered_->ForgetGauges(); }

std::string PrometheusMeters::Text() const { return registered_->Text(); }

}  // namespace patra::infra::metrics
