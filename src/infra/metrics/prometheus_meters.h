// Meters as Prometheus asks for them.
#pragma once

#include <memory>
#include <string>

#include "app/port/meters.h"

namespace patra::infra::metrics {

class PrometheusMeters final : public app::Meters {
 public:
  PrometheusMeters();
  ~PrometheusMeters() override;

  void Add(const app::Meter& meter, const app::MeterLabels& labels, double value) override;
  void ForgetGauges() override;

  // Everything, in Prometheus' text format.
  std::string Text() const;

 private:
  class Registered;
  std::unique_ptr<Registered> registered_;
};

}  // namespace patra::infra::metrics
