#include "domain/plan/price.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/duration.h"
#include "domain/plan/id_batches.h"
#include "domain/plan/wide_slice.h"

namespace patra::domain {
namespace {

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::optional<double> QuotaPart(const std::vector<LimitSpec>& limits, std::int64_t permits) {
  std::optional<double> part;
  for (const auto& limit : limits) {
    for (const auto& quota : limit.quotas) {
      const auto allowed = quota.requests * (1 - limit.quota_reserve);
      const auto used = static_cast<double>(permits) / std::max(allowed, 1.0);
      part = std::max(part.value_or(0), used);
    }
  }
  return part;
}

// How long the permits take at the allowed rate, and longer where a quota's window ends first.
std::optional<Duration> TimeFor(const std::vector<LimitSpec>& limits, std::int64_t permits) {
  const auto rate = AllowedRate(limits);
  if (!rate) return std::nullopt;
  auto seconds = static_cast<double>(permits) / *rate;
  for (const auto& limit : limits) {
    for (const auto& quota : limit.quotas) {
      const auto allowed = std::max(quota.requests * (1 - limit.quota_reserve), 1.0);
      const auto windows = std::floor(static_cast<double>(permits) / allowed);
      seconds = std::max(seconds, windows * Seconds(quota.per));
    }
  }
  constexpr double kYears = 1000.0 * 365 * 24 * 3600;
  return Duration(static_cast<std::int64_t>(std::min(seconds, kYears) * 1e6));
}

void AddTime(const SpecSnapshot& spec, std::int64_t cost, PriceTag& price) {
  const auto permits = price.requests * std::max<std::int64_t>(cost, 1);
  price.rate_per_second = AllowedRate(spec.limits);
  price.quota_part = QuotaPart(spec.limits, permits);
  price.takes = TimeFor(spec.limits, permits);
}

void AddBytes(const std::optional<SliceHistory>& history, PriceTag& price) {
  if (!history || !history->bytes_per_record || !price.records) return;
  price.bytes =
      static_cast<std::int64_t>(*history->bytes_per_record * static_cast<double>(*price.records));
}

}  // namespace

std::optional<double> AllowedRate(const std::vector<LimitSpec>& limits) {
  std::optional<double> rate;
  for (const auto& limit : limits) {
    if (!limit.rate) continue;
    const auto one = limit.rate->requests / std::max(Seconds(limit.rate->per), 1e-6);
    rate = std::min(rate.value_or(one), one);
  }
  return rate;
}

PriceTag PriceOf(const SpecSnapshot& spec, std::int64_t slices, Duration covered,
                 const std::optional<SliceHistory>& history) {
  PriceTag price{.slices = slices, .requests = slices, .requests_are_least = true};
  if (history && history->slices > 0) {
    const auto records = history->records_per_hour * Seconds(covered) / 3600;
    price.records = static_cast<std::int64_t>(std::llround(records));
    const auto per_slice = *price.records / std::max<std::int64_t>(slices, 1);
    price.requests = slices * RequestsFor(spec, per_slice);
    price.requests_are_least = false;
    price.basis = fmt::format("{} finished slices with {:.1f} records an hour", history->slices,
                              history->records_per_hour);
  } else if (slices > 0 && IsWide(spec, covered / slices)) {
    price.basis = fmt::format(
        "nothing is known of this query: it begins with {}, and first pages announce how many "
        "records there are; slices that hold too many are cut then",
        slices == 1 ? "1 slice" : fmt::format("{} slices", slices));
  } else {
    price.basis = "no history of this query: at least one request a slice";
  }
  AddBytes(history, price);
  AddTime(spec, spec.cost, price);
  return price;
}

PriceTag PriceOfAnnounced(const SpecSnapshot& spec, const PriceTag& before, const Window& window,
                          std::int64_t announced) {
  auto price = before;
  price.records = announced;
  price.requests = std::max(price.slices, RequestsFor(spec, announced));
  price.requests_are_least = false;
  price.basis = fmt::format("1 request was sent, and {} records are announced", announced);
  const auto cut = CutOfWide(spec, {.window = window}, {.announced = announced, .leads_on = true});
  if (cut) {
    price.requests = std::max<std::int64_t>(price.requests, cut->pieces) + price.slices;
    price.requests_are_least = true;
    price.basis += fmt::format(
        ": it is cut into {} slices, and these where many of the records lie once more, each with "
        "a "
        "request of its own",
        cut->pieces);
  }
  AddTime(spec, spec.cost, price);
  return price;
}

PriceTag PriceOfList(const SpecSnapshot& spec, std::int64_t slices,
                     std::optional<std::int64_t> records,
                     const std::optional<SliceHistory>& history) {
  PriceTag price{
      .slices = slices, .requests = slices, .requests_are_least = true, .records = records};
  if (records) {
    price.requests = std::max(slices, RequestsFor(spec, *records));
    price.requests_are_least = false;
    price.basis = fmt::format("{} records when the whole list was last read", *records);
  } else {
    price.basis = "the list was never read before: at least one request a slice";
  }
  AddBytes(history, price);
  AddTime(spec, spec.cost, price);
  return price;
}

PriceTag PriceOfIds(const SpecSnapshot& spec, std::int64_t slices, std::int64_t ids,
                    const std::optional<SliceHistory>& history) {
  PATRA_ASSERT(spec.details);
  PriceTag price{.slices = slices,
                 .requests = RequestsForIds(*spec.details, ids),
                 .records = ids,
                 .basis = fmt::format("{} ids, {} a request", ids, spec.details->id_batch_size)};
  AddBytes(history, price);
  AddTime(spec, spec.details->cost, price);
  return price;
}

}  // namespace patra::domain
