// What was sent and done, over time, from what is summed up by minute.
#include <map>

#include "infra/sql/asked_codes.h"
#include "infra/sql/dashboard_queries.h"
#include "infra/sql/rates_in_use.h"

namespace patra::infra::sql {
namespace {

using contract::GateStep;
using contract::PastSteps;
using contract::WorkStep;

constexpr std::size_t kGateKeysMax = 200;
constexpr std::int64_t kClaimsSeenMax = 100'000;
// Processes write what they have sent once in ten seconds.
constexpr Duration kWrittenWithin = std::chrono::seconds(15);

constexpr std::string_view kNextGateKey = R"sql(
    SELECT min(gate_key) AS gate_key FROM ing_gate_minute WHERE gate_key > :after)sql";

constexpr std::string_view kPastOfKey = R"sql(
    SELECT minute, requests, throttled, failures, cuts, cool_downs, openings, share_ppm_sum, limit_per_day,
           stopped_until
    FROM ing_gate_minute WHERE gate_key = :gate_key AND minute >= :from AND minute < :to
    ORDER BY minute LIMIT 1000000)sql";

constexpr std::string_view kPastOfLanes = R"sql(
    SELECT minute, provenance_code, endpoint_name, status_code, batches, records, requests, retries, throttled,
           latency_ms
    FROM ing_batch_rollup
    WHERE minute >= :from AND minute < :to AND (:source = '' OR provenance_code = :source)
      AND (:endpoint = '' OR endpoint_name = :endpoint) AND (:operation = '' OR operation_code = :operation)
    ORDER BY minute LIMIT 1000000)sql";

// A replay was claimed by nobody.
constexpr std::string_view kPastClaims = R"sql(
    SELECT created_at, provenance_code, endpoint_name FROM ing_task_run
    WHERE created_at >= :from AND created_at < :to AND is_replay = 0
      AND (:source = '' OR provenance_code = :source) AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:operation = '' OR operation_code = :operation)
    ORDER BY created_at DESC LIMIT :rows_max)sql";

constexpr std::string_view kSentInMinute = R"sql(
    SELECT gate_key, provenance_code, endpoint_name, requests, share_ppm_sum, limit_per_day
    FROM ing_gate_minute WHERE minute = :minute LIMIT 10000)sql";

std::size_t NumberOf(const PastSteps& steps, Instant at) {
  return static_cast<std::size_t>((at - steps.from) / steps.step);
}

Result<contract::GatePast> ReadPastOfKey(Session& session, const std::string& key,
                                         const PastSteps& steps) {
  contract::GatePast past{.key = key, .steps = std::vector<GateStep>(steps.count)};
  auto rows = PATRA_TRY(
      session.Query(kPastOfKey, {{"gate_key", key}, {"from", steps.from}, {"to", steps.to()}}));
  while (PATRA_TRY(rows.Next())) {
    const auto stopped_until = rows.Integer("stopped_until");
    past.steps.at(NumberOf(steps, rows.Time("minute"))) +=
        GateStep{.requests = rows.Integer("requests"),
                 .throttled = rows.Integer("throttled"),
                 .failures = rows.Integer("failures"),
                 .cuts = rows.Integer("cuts"),
                 .cool_downs = rows.Integer("cool_downs"),
                 .openings = rows.Integer("openings"),
                 .share_ppm_sum = rows.Integer("share_ppm_sum"),
                 .limit_per_day = rows.Integer("limit_per_day"),
                 .stopped_until =
                     stopped_until > 0 ? std::optional(rows.Time("stopped_until")) : std::nullopt};
  }
  return past;
}

Result<std::vector<std::string>> KeysOfGate(Session& session, const std::string& key) {
  if (!key.empty()) return std::vector{key};
  std::vector<std::string> keys;
  std::string after;
  while (keys.size() <= kGateKeysMax) {
    auto rows = PATRA_TRY(session.Query(kNextGateKey, {{"after", after}}));
    if (!PATRA_TRY(rows.Next()) || rows.IsNull("gate_key")) break;
    after = keys.emplace_back(rows.Text("gate_key"));
  }
  return keys;
}

// Endpoints while they are filled.
class WorkOfEndpoints {
 public:
  explicit WorkOfEndpoints(const PastSteps& steps) : steps_(steps) {}

  WorkStep& At(const Rows& rows, std::size_t step) {
    auto& past = by_name_[{rows.Text("provenance_code"), rows.Text("endpoint_name")}];
    if (past.empty()) past.resize(steps_.count);
    return past.at(step);
  }
  contract::WorkHistory Take() {
    contract::WorkHistory history{.steps = steps_, .all = std::vector<WorkStep>(steps_.count)};
    for (auto& [name, past] : by_name_) {
      for (std::size_t i = 0; i < past.size(); ++i) history.all[i] += past[i];
      history.endpoints.push_back({name.first, name.second, std::move(past)});
    }
    return history;
  }

 private:
  const PastSteps steps_;
  std::map<std::pair<std::string, std::string>, std::vector<WorkStep>> by_name_;
};

Result<void> AddPastOfLanes(Session& session, const contract::DashboardFilter& filter,
                            const PastSteps& steps, WorkOfEndpoints& work) {
  auto rows = PATRA_TRY(session.Query(kPastOfLanes, {{"from", steps.from},
                                                     {"to", steps.to()},
                                                     {"source", filter.source},
                                                     {"endpoint", filter.endpoint},
                                                     {"operation", filter.operation}}));
  while (PATRA_TRY(rows.Next())) {
    const auto status = rows.View("status_code");
    const bool is_stored = status == "SUCCEEDED";
    const auto batches = rows.Integer("batches");
    work.At(rows, NumberOf(steps, rows.Time("minute"))) +=
        {.batches_succeeded = is_stored ? batches : 0,
         .batches_failed = status == "FAILED" ? batches : 0,
         .records = rows.Integer("records"),
         .requests = rows.Integer("requests"),
         .retries = rows.Integer("retries"),
         .throttled = rows.Integer("throttled"),
         .latency_ms = is_stored ? rows.Integer("latency_ms") : 0};
  }
  return {};
}

// From when on they are all there; nothing where they are.
Result<std::optional<Instant>> AddClaims(Session& session, const contract::DashboardFilter& filter,
                                         const PastSteps& steps, WorkOfEndpoints& work) {
  std::int64_t seen = 0;
  Instant oldest = steps.to();
  auto rows = PATRA_TRY(session.Query(kPastClaims, {{"from", steps.from},
                                                    {"to", steps.to()},
                                                    {"source", filter.source},
                                                    {"endpoint", filter.endpoint},
                                                    {"operation", filter.operation},
                                                    {"rows_max", kClaimsSeenMax}}));
  while (PATRA_TRY(rows.Next())) {
    ++seen;
    oldest = rows.Time("created_at");
    ++work.At(rows, NumberOf(steps, oldest)).claims;
  }
  return seen == kClaimsSeenMax ? std::optional(oldest) : std::nullopt;
}

}  // namespace

Result<contract::GateHistory> DashboardQueries::GateHistory(const std::string& key,
                                                            const PastSteps& steps) {
  return database_.Read([&](Session& session) -> Result<contract::GateHistory> {
    contract::GateHistory history{.steps = steps, .keys = {}};
    auto keys = PATRA_TRY(KeysOfGate(session, key));
    history.is_cut = keys.size() > kGateKeysMax;
    if (history.is_cut) keys.resize(kGateKeysMax);
    for (const auto& one : keys)
      history.keys.push_back(PATRA_TRY(ReadPastOfKey(session, one, steps)));
    return history;
  });
}

Result<contract::WorkHistory> DashboardQueries::WorkHistory(const contract::DashboardFilter& filter,
                                                            const PastSteps& steps) {
  return database_.Read([&](Session& session) -> Result<contract::WorkHistory> {
    PATRA_TRY(AskedOperations(filter.operation));
    WorkOfEndpoints work(steps);
    PATRA_TRY(AddPastOfLanes(session, filter, steps, work));
    const auto claims_from = PATRA_TRY(AddClaims(session, filter, steps, work));
    auto history = work.Take();
    history.claims_from = claims_from;
    return history;
  });
}

Result<RatesInUse> ReadRatesInUse(Session& session, Instant now) {
  using Endpoint = std::pair<std::string, std::string>;
  std::map<std::string, GateStep> by_key;
  std::map<Endpoint, std::vector<std::string>> keys_of;
  const Instant minute =
      std::chrono::floor<std::chrono::minutes>(now - kWrittenWithin) - std::chrono::minutes(1);
  auto rows = PATRA_TRY(session.Query(kSentInMinute, {{"minute", minute}}));
  while (PATRA_TRY(rows.Next())) {
    auto key = rows.Text("gate_key");
    by_key[key] += {.requests = rows.Integer("requests"),
                    .share_ppm_sum = rows.Integer("share_ppm_sum"),
                    .limit_per_day = rows.Integer("limit_per_day")};
    keys_of[{rows.Text("provenance_code"), rows.Text("endpoint_name")}].push_back(std::move(key));
  }
  RatesInUse in_use;
  for (const auto& [endpoint, keys] : keys_of) {
    for (const auto& key : keys) {
      const auto& sent = by_key.at(key);
      const auto allowed = sent.allowed_per_second();
      if (!allowed) continue;
      const contract::RateInUse rate{.key = key,
                                     .requests_per_second = static_cast<double>(sent.requests) / 60,
                                     .allowed_per_second = *allowed};
      const auto [found, is_new] = in_use.try_emplace(endpoint, rate);
      if (!is_new && rate.share() > found->second.share()) found->second = rate;
    }
  }
  return in_use;
}

}  // namespace patra::infra::sql
