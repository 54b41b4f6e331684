#include "infra/gate/rate_gate.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "app/port/gate_answers.h"

namespace patra::infra::gate {
namespace {

using domain::GateVerdict;

constexpr Duration kLookAfter = std::chrono::milliseconds(100);
constexpr std::size_t kFilesMax = 16;

constexpr auto kAllScopes = std::to_array<domain::LimitScope>(
    {domain::LimitScope::kSource, domain::LimitScope::kEndpoint, domain::LimitScope::kCredential,
     domain::LimitScope::kCredentialAndEndpoint, domain::LimitScope::kAddress,
     domain::LimitScope::kOperation});

std::uint64_t SeedOf(const Clock& clock) {
  return HashText(fmt::format("{} {} {}", getpid(), clock.Now().time_since_epoch().count(),
                              SystemClock().Elapsed().count()));
}

}  // namespace

Result<std::unique_ptr<RateGate>> RateGate::Open(std::string path, app::GateLedger& ledger,
                                                 const Clock& clock,
                                                 std::optional<std::uint64_t> seed) {
  auto file = PATRA_TRY(GateFile::Open(path, ledger, clock));
  return std::unique_ptr<RateGate>(
      new RateGate(std::move(path), ledger, clock, std::move(file), seed ? *seed : SeedOf(clock)));
}

RateGate::RateGate(std::string path, app::GateLedger& ledger, const Clock& clock,
                   std::unique_ptr<GateFile> file, std::uint64_t seed)
    : path_(std::move(path)),
      ledger_(ledger),
      clock_(clock),
      file_(file.get()),
      looked_at_(clock.Elapsed().count()),
      random_(seed) {
  files_.push_back(std::move(file));
}

// Where this fails, the file stays for the next one who comes.
RateGate::~RateGate() { (void)file_.load()->PutAway(ledger_, clock_); }

Result<app::GateAnswer> RateGate::Acquire(const domain::GateTarget& target,
                                          const domain::GateRules& rules,
                                          const domain::GateAsk& ask) {
  constexpr int kQuotaRoundsMax = 8;
  for (int round = 0; round < kQuotaRoundsMax; ++round) {
    auto* file = PATRA_TRY(File());
    const auto time = TimeOf(*file);
    GateVerdict verdict;
    {
      const auto memory = PATRA_TRY(file->Lock(time.now));
      const auto cells = PATRA_TRY(Cells(memory, target, rules, time));
      const auto lease = domain::MakeLeaseId(file->owner(), leases_.fetch_add(1));
      verdict = domain::Decide(rules, cells, ask, time, lease);
      if (verdict.reason == domain::WaitReason::kConcurrency) {
        domain::ReleaseGone(cells, time.now,
                            [&](domain::LeaseOwner owner) { return !file->IsAlive(owner); });
      }
    }
    if (verdict.kind != GateVerdict::Kind::kNeedsQuota)
      return app::AnswerOf(*this, target, verdict, time, file->ahead());
    // The store is asked without the lock. Two may ask at once: then both pieces are used.
    const auto& need = *verdict.need;
    const auto granted = PATRA_TRY(app::Reserve(ledger_, target, need));
    file = PATRA_TRY(File());
    const auto memory = PATRA_TRY(file->Lock(TimeOf(*file).now));
    const auto cells = PATRA_TRY(Cells(memory, target, rules, TimeOf(*file)));
    domain::AddQuota(cells, need, granted);
  }
  return Fail(ErrorCode::kUnavailable, "the quota is used up faster than it can be reserved");
}

Result<domain::GateChange> RateGate::Feedback(const domain::GateTarget& target,
                                              const domain::GateRules& rules,
                                              const domain::GateSignal& signal) {
  double chance = 0;
  {
    const std::lock_guard lock(random_mutex_);
    chance = random_.Fraction();
  }
  auto* file = PATRA_TRY(File());
  const auto time = TimeOf(*file);
  const auto memory = PATRA_TRY(file->Lock(time.now));
  const auto cells = PATRA_TRY(Cells(memory, target, rules, time));
  auto heard = signal;
  if (heard.sent_at != domain::kLongAgo) heard.sent_at += file->ahead();
  auto change = domain::Feed(rules, cells, heard, time, chance);
  if (heard.kind != domain::GateSignal::Kind::kOk)
    change.reading = domain::ReadGate(rules, cells, time);
  return change;
}

Result<domain::GateEstimate> RateGate::Estimate(const domain::GateTarget& target,
                                                const domain::GateRules& rules, Duration horizon) {
  auto* file = PATRA_TRY(File());
  const auto time = TimeOf(*file);
  domain::GateEstimate estimate;
  {
    const auto memory = PATRA_TRY(file->Lock(time.now));
    const auto cells = PATRA_TRY(Cells(memory, target, rules, time));
    estimate = domain::Estimate(rules, cells, time, horizon);
  }
  PATRA_TRY(app::BoundByQuotas(estimate, rules, target, ledger_, time.wall));
  return estimate;
}

Result<std::vector<app::GateStatus>> RateGate::List() {
  auto* file = PATRA_TRY(File());
  const auto time = TimeOf(*file);
  const auto memory = PATRA_TRY(file->Lock(time.now));
  std::vector<app::GateStatus> list;
  for (std::size_t i = 0; i < memory->made; ++i) {
    if (memory->hashes[i] != 0) list.push_back(app::StatusOf(memory->cells[i], time));
  }
  std::ranges::sort(list, {}, &app::GateStatus::key);
  return list;
}

Result<void> RateGate::Reset(const std::string& key) {
  auto* file = PATRA_TRY(File());
  const auto memory = PATRA_TRY(file->Lock(TimeOf(*file).now));
  auto* cell = memory.Find(key);
  if (cell == nullptr)
    return std::unexpected(app::NoSuchGateKey(key).Hint("see `patra gate list`"));
  domain::EndStops(*cell);
  return {};
}

void RateGate::Release(const domain::GateTarget& target, domain::LeaseId lease) noexcept {
  auto* file = file_.load();
  const auto now = TimeOf(*file).now;
  const auto memory = file->Lock(now);
  if (!memory) return;  // the lease runs out by itself
  domain::GateCells cells;
  for (const auto scope : kAllScopes)
    cells.of[static_cast<std::size_t>(scope)] = memory->Find(domain::GateKey(scope, target));
  domain::Release(cells, lease, now);
}

Result<GateFile*> RateGate::File() {
  const auto now = clock_.Elapsed();
  auto looked_at = looked_at_.load(std::memory_order_relaxed);
  if (now - Duration(looked_at) < kLookAfter ||
      !looked_at_.compare_exchange_strong(looked_at, now.count()))
    return file_.load();
  const std::lock_guard lock(files_mutex_);
  if (!file_.load()->IsReplaced()) return file_.load();
  if (files_.size() == kFilesMax) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("the gate file {} is replaced again and again", path_), {},
                "leave it alone while patra runs");
  }
  files_.push_back(PATRA_TRY(GateFile::Open(path_, ledger_, clock_)));
  file_ = files_.back().get();
  return file_.load();
}

Result<domain::GateCells> RateGate::Cells(const GateFile::Locked& memory,
                                          const domain::GateTarget& target,
                                          const domain::GateRules& rules,
                                          const domain::GateTime& time) {
  domain::GateCells cells;
  bool any_new = false;
  const auto need = [&](domain::LimitScope scope) -> Result<void> {
    auto*& cell = cells.of[static_cast<std::size_t>(scope)];
    if (cell != nullptr) return {};
    cell = PATRA_TRY(memory.FindOrClaim(domain::GateKey(scope, target), rules, time.now, any_new));
    return {};
  };
  for (const auto scope : rules.Scopes()) PATRA_TRY(need(scope));
  // What is new in a state that was lost is new to us only.
  if (any_new && memory->lost_at != domain::kLongAgo) {
    domain::AssumeFull(rules, cells, {memory->lost_at, time.wall - (time.now - memory->lost_at)});
  }
  return cells;
}

}  // namespace patra::infra::gate
