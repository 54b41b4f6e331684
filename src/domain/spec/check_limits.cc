#include "domain/spec/check_limits.h"

#include <fmt/format.h>

#include "domain/gate/gate_rules.h"
#include "domain/spec/source_rules.h"

namespace patra::domain {
namespace {

constexpr std::int64_t kAttemptsMax = 20;
constexpr int kCeilingMax = 100;  // times the rate that it begins with

double RequestsPerSecond(const RateSpec& rate) {
  return rate.requests / std::chrono::duration<double>(rate.per).count();
}

// What the gate would refuse when the first request goes out.
void CheckGateRules(const CheckSubject& on) {
  for (const auto phase : {Phase::kSearch, Phase::kDetail}) {
    if (phase == Phase::kDetail && !on.spec.details) continue;
    const auto valid = Validate(GateRulesOf(on.spec, phase));
    if (valid) continue;
    on.Complain("limits", valid.error().message, valid.error().hint);
    return;
  }
}

// Not every curve grows by a factor or leaves a part to chance.
void WarnOfIdleRetryKeys(const CheckSubject& on) {
  using enum BackoffCurve;
  const auto curve = on.spec.retry.backoff.value_or(kExponentialJitter);
  const auto warn = [&](std::string_view key, bool is_idle) {
    const auto path = fmt::format("retry.{}", key);
    if (is_idle && on.view.IsDeclared(path))
      on.Warn(path, fmt::format("it means nothing to `backoff: {}`", LowerCode(CodeOf(curve))));
  };
  warn("jitter", curve != kExponentialJitter);
  warn("factor", curve == kDecorrelatedJitter || curve == kFixed);
}

// Requests come evenly, or as many at once as the rate counts: nothing between, and never more.
void CheckBurst(const CheckSubject& on, const LimitSpec& limit) {
  on.Require(limit.burst >= 1, "limits", "a burst has at least one request");
  if (limit.burst <= 1) return;
  if (!limit.rate) return on.Warn("limits", "a burst without a rate means nothing");
  if (limit.burst < limit.rate->requests)
    on.Warn("limits",
            fmt::format("a burst of {} is less than the rate counts: requests are spaced evenly",
                        limit.burst),
            fmt::format("burst: {} lets them come at once", limit.rate->requests));
  if (limit.burst > limit.rate->requests)
    on.Warn("limits", fmt::format("no more than the {} that the rate counts come at once",
                                  limit.rate->requests));
}

}  // namespace

void CheckLimits(const CheckSubject& on) {
  const auto problems_before = on.findings.problems.size();
  const auto& paging = on.spec.paging;
  if (paging.size_max)
    on.Require(paging.size <= *paging.size_max, "paging.size",
               fmt::format("the provider gives at most {} records per page", *paging.size_max));
  if (paging.reach)
    on.Require(paging.size <= *paging.reach, "paging.size",
               fmt::format("paging reaches {} records", *paging.reach));
  const auto& retry = on.spec.retry;
  on.Require(retry.attempts_max >= 1 && retry.attempts_max <= kAttemptsMax, "retry.attempts",
             fmt::format("1 to {} attempts", kAttemptsMax));
  on.Require(Duration(0) < retry.first_delay && retry.first_delay <= retry.delay_max, "retry.first",
             "delays are longer than nothing and rise from `first` to `most`");
  on.Require(retry.factor >= 1, "retry.factor", "delays do not fall");
  WarnOfIdleRetryKeys(on);
  on.Require(!retry.retry_after_cap || *retry.retry_after_cap > Duration(0),
             "retry.retry_after_cap", "Retry-After can be capped but not ignored",
             "beyond the cap the task is parked and an alert raised");
  on.Require(!on.spec.limits.empty(), "limits", "there is no limit",
             "say what the provider allows; without knowing, 1/s");
  for (const auto& limit : on.spec.limits) {
    on.Require(limit.rate || limit.concurrency || !limit.quotas.empty(), "limits",
               "a limit needs a rate, a concurrency or a quota");
    CheckBurst(on, limit);
    on.Require(!limit.concurrency || *limit.concurrency >= 1, "limits",
               "a concurrency is at least 1");
    on.Require(limit.slow_down_factor > 1, "limits", "slow_down has to be more than 1");
    on.Require(limit.quota_reserve + limit.urgent_quota.value_or(0) < 1, "limits",
               "reserve and urgent_quota leave nothing to others");
    on.Require(limit.urgent_rate.value_or(0) < 1, "limits",
               "harvests cannot have the whole rate: others would never end", "95%");
    if (!limit.ceiling) continue;
    on.Require(limit.rate.has_value(), "limits", "a ceiling needs a rate to begin with");
    const auto times =
        limit.rate ? RequestsPerSecond(*limit.ceiling) / RequestsPerSecond(*limit.rate) : 1;
    on.Require(times >= 1 && times <= kCeilingMax, "limits",
               fmt::format("a ceiling is 1 to {} times the rate", kCeilingMax));
  }
  on.Require(on.spec.cost >= 1, "cost", "a request costs at least one permit");
  if (on.findings.problems.size() == problems_before) CheckGateRules(on);
}

void CheckBudget(const CheckSubject& on) {
  if (!on.spec.budget) return;
  const auto& budget = *on.spec.budget;
  on.Require(!budget.requests_max || *budget.requests_max >= 1, "budget.requests",
             "a run makes at least one request");
  on.Require(!budget.records_max || *budget.records_max >= 1, "budget.records",
             "a run brings at least one record");
  on.Require(!budget.duration_max || *budget.duration_max >= std::chrono::seconds(1), "budget.time",
             "a run takes at least a second");
  on.Require(budget.pause >= Duration(0) && budget.pause <= std::chrono::days(366), "budget.pause",
             "nothing to 366d");
  on.Require(!budget.open_tasks_max || *budget.open_tasks_max >= 1, "budget.open_tasks",
             "a plan has at least one task");
  // A command may add a pace of its own.
  constexpr auto kQuotasMax = kLimitsPerScopeMax - 1;
  on.Require(budget.quotas.size() <= kQuotasMax, "budget.quota",
             fmt::format("no more than {} quotas", kQuotasMax));
  for (const auto& quota : budget.quotas) {
    on.Require(quota.requests >= on.spec.cost, "budget.quota",
               "a single request costs more than the quota allows");
  }
}

}  // namespace patra::domain
