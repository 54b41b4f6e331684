#include "contract/past.h"

#include <algorithm>

#include "base/result.h"

namespace patra::contract {
namespace {

constexpr double kDaySeconds = 86'400;
constexpr double kMillion = 1'000'000;

double SecondsOf(Duration length) { return std::chrono::duration<double>(length).count(); }

Value NumberOf(const std::optional<double>& number) { return number ? Value(*number) : Value(); }

Value Part(std::int64_t of, std::int64_t all) {
  return all > 0 ? Value(static_cast<double>(of) / static_cast<double>(all)) : Value();
}

template <typename Step, typename ValueOf>
Value Column(const std::vector<Step>& steps, const ValueOf& value_of) {
  Value::Array column;
  column.reserve(steps.size());
  for (const auto& step : steps) column.push_back(value_of(step));
  return column;
}

Value::Object Frame(const PastSteps& steps) {
  Value::Array at;
  for (std::size_t i = 0; i < steps.count; ++i) at.push_back(TimeFact(steps.At(i)));
  return {{"from", TimeFact(steps.from)},
          {"to", TimeFact(steps.to())},
          {"stepSeconds", std::int64_t{steps.step / std::chrono::seconds(1)}},
          {"at", std::move(at)}};
}

template <typename Step>
Value CountsOf(const std::vector<Step>& steps, std::int64_t Step::* member) {
  return Column(steps, [&](const Step& step) { return Value(step.*member); });
}

template <typename Step>
Value RatesOf(const std::vector<Step>& steps, std::int64_t Step::* member, Duration length) {
  return Column(steps, [&](const Step& step) {
    return Value(static_cast<double>(step.*member) / SecondsOf(length));
  });
}

Value ToValue(const GatePast& past, Duration length) {
  const auto& steps = past.steps;
  return Value::Object{
      {"key", past.key},
      {"requests", CountsOf(steps, &GateStep::requests)},
      {"requestsPerSecond", RatesOf(steps, &GateStep::requests, length)},
      {"limitPerSecond",
       Column(steps, [](const GateStep& step) { return NumberOf(step.limit_per_second()); })},
      {"allowedPerSecond",
       Column(steps, [](const GateStep& step) { return NumberOf(step.allowed_per_second()); })},
      {"throttled", CountsOf(steps, &GateStep::throttled)},
      {"failures", CountsOf(steps, &GateStep::failures)},
      {"cuts", CountsOf(steps, &GateStep::cuts)},
      {"coolDowns", CountsOf(steps, &GateStep::cool_downs)},
      {"openings", CountsOf(steps, &GateStep::openings)},
      {"stoppedUntil",
       Column(steps, [](const GateStep& step) { return TimeFact(step.stopped_until); })}};
}

Value::Object Columns(const std::vector<WorkStep>& steps, Duration length) {
  return {{"claimsPerSecond", RatesOf(steps, &WorkStep::claims, length)},
          {"batchesSucceeded", CountsOf(steps, &WorkStep::batches_succeeded)},
          {"batchesFailed", CountsOf(steps, &WorkStep::batches_failed)},
          {"failureShare", Column(steps,
                                  [](const WorkStep& step) {
                                    return Part(step.batches_failed,
                                                step.batches_failed + step.batches_succeeded);
                                  })},
          {"records", CountsOf(steps, &WorkStep::records)},
          {"requestsPerSecond", RatesOf(steps, &WorkStep::requests, length)},
          {"retries", CountsOf(steps, &WorkStep::retries)},
          {"throttledShare",
           Column(steps, [](const WorkStep& step) { return Part(step.throttled, step.requests); })},
          {"meanLatencyMs", Column(steps, [](const WorkStep& step) {
             return Part(step.latency_ms, step.batches_succeeded);
           })}};
}

}  // namespace

PastSteps PastSteps::Of(const Stretch& within, int steps_max) {
  PATRA_ASSERT(steps_max > 0);
  const auto from = std::chrono::floor<std::chrono::minutes>(within.from);
  const auto to = std::chrono::ceil<std::chrono::minutes>(within.to);
  const auto minutes = std::max<std::int64_t>((to - from).count(), 1);
  const auto in_step = (minutes + steps_max - 1) / steps_max;
  return {.from = from,
          .step = std::chrono::minutes(in_step),
          .count = static_cast<std::size_t>((minutes + in_step - 1) / in_step)};
}

std::optional<double> GateStep::limit_per_second() const {
  if (limit_per_day == 0) return std::nullopt;
  return static_cast<double>(limit_per_day) / kDaySeconds;
}

std::optional<double> GateStep::allowed_per_second() const {
  const auto limit = limit_per_second();
  if (!limit || requests == 0) return std::nullopt;
  return *limit * static_cast<double>(share_ppm_sum) / static_cast<double>(requests) / kMillion;
}

GateStep& GateStep::operator+=(const GateStep& other) {
  requests += other.requests;
  throttled += other.throttled;
  failures += other.failures;
  cuts += other.cuts;
  cool_downs += other.cool_downs;
  openings += other.openings;
  share_ppm_sum += other.share_ppm_sum;
  limit_per_day = std::max(limit_per_day, other.limit_per_day);
  stopped_until = std::max(stopped_until, other.stopped_until);
  return *this;
}

WorkStep& WorkStep::operator+=(const WorkStep& other) {
  claims += other.claims;
  batches_succeeded += other.batches_succeeded;
  batches_failed += other.batches_failed;
  records += other.records;
  requests += other.requests;
  retries += other.retries;
  throttled += other.throttled;
  latency_ms += other.latency_ms;
  return *this;
}

Value ToValue(const GateHistory& history) {
  auto object = Frame(history.steps);
  Value::Array items;
  for (const auto& key : history.keys) items.push_back(ToValue(key, history.steps.step));
  object["items"] = std::move(items);
  object["isCut"] = history.is_cut;
  return object;
}

Value ToValue(const WorkHistory& history) {
  auto object = Frame(history.steps);
  object["all"] = Columns(history.all, history.steps.step);
  Value::Array items;
  for (const auto& endpoint : history.endpoints) {
    auto columns = Columns(endpoint.steps, history.steps.step);
    columns["source"] = endpoint.source;
    columns["endpoint"] = endpoint.endpoint;
    items.emplace_back(std::move(columns));
  }
  object["items"] = std::move(items);
  object["claimsFrom"] = TimeFact(history.claims_from);
  return object;
}

Facts FactsOf(const RateInUse& rate) {
  return {{"key", rate.key},
          {"requestsPerSecond", rate.requests_per_second},
          {"allowedPerSecond", rate.allowed_per_second},
          {"share", rate.share()}};
}

}  // namespace patra::contract
