#include "app/metrics/metering_log.h"

#include <optional>

#include "app/metrics/meter_rows.h"

namespace patra::app {
namespace {

std::string DetailText(const Value::Object& details, std::string_view name) {
  const auto found = details.find(name);
  const auto* text = found == details.end() ? nullptr : found->second.AsString();
  return text == nullptr ? std::string() : *text;
}

// Nothing where the event does not say.
std::optional<double> AmountOf(const MeterRow& row, const Value::Object& details) {
  if (row.amount.empty()) return 1;
  const auto found = details.find(row.amount);
  const auto* amount = found == details.end() ? nullptr : found->second.AsInteger();
  return amount == nullptr ? std::nullopt : std::optional(static_cast<double>(*amount));
}

MeterLabels LabelsOf(const MeterRow& row, const domain::Lane& lane, const Value::Object& details) {
  MeterLabels labels;
  if (row.by_lane) {
    const bool is_known = !lane.provenance.empty();
    labels = {{"source", is_known ? lane.provenance : DetailText(details, "source")},
              {"endpoint", is_known ? lane.endpoint : DetailText(details, "endpoint")},
              {"op", is_known ? std::string(Code(lane.operation)) : std::string()}};
  }
  if (!row.label.empty())
    labels.emplace_back(
        row.label, row.detail.empty() ? std::string(row.fixed) : DetailText(details, row.detail));
  return labels;
}

}  // namespace

void MeteringLog::Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                        const Value::Object& details) {
  log_.Write(level, event, lineage, details);
  for (const auto& row : kMeterRows) {
    if (row.event != event) continue;
    const auto amount = AmountOf(row, details);
    // Most requests are well: they have no level.
    const bool is_of_level = row.label == "level" && row.fixed.empty();
    if (!amount || (is_of_level && !DetailText(details, row.detail).starts_with('L'))) continue;
    if (*amount == 0 && row.meter.kind == MeterKind::kCounter) continue;
    meters_.Add(row.meter, LabelsOf(row, lineage.lane, details), *amount);
  }
}

}  // namespace patra::app
