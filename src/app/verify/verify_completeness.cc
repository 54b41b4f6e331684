#include "app/verify/verify_completeness.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/verify/certify.h"
#include "app/verify/days_of_proof.h"
#include "domain/spec/asked.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

constexpr int kSlicesPerPage = 10'000;

std::string NameOf(const VerifyCommand& command) {
  return command.endpoint.empty() ? command.source : command.source + "/" + command.endpoint;
}

// Nothing where no moment of it was ever planned. What lies between the definition's start and the first harvest counts: a
// watermark that a later `from` set does not prove it.
std::optional<contract::Stretch> RangeOf(const VerifyCommand& command,
                                         const contract::CompletenessQueries::Known& known) {
  const auto& planned = known.planned;
  if (!planned && !(command.from && command.to)) return std::nullopt;
  const auto first = [&] {
    return known.begins ? std::min(planned->from, *known.begins) : planned->from;
  };
  return contract::Stretch{.from = command.from ? *command.from : first(),
                           .to = command.to ? *command.to : planned->to};
}

}  // namespace

Result<std::vector<VerifyCompleteness::Asked>> VerifyCompleteness::WhatIsAsked(
    const VerifyCommand& command) {
  std::vector<Asked> asked;
  for (auto& query : PATRA_TRY(queries_.KnownQueries(command.source, command.endpoint))) {
    if (const auto range = RangeOf(command, query)) asked.push_back({std::move(query), *range});
  }
  if (!asked.empty()) return asked;
  return Fail(ErrorCode::kNotFound, fmt::format("nothing of {} was ever planned", NameOf(command)),
              {},
              command.endpoint.empty()
                  ? fmt::format("`{}` begins", domain::NextStep("harvest.run", {command.source}))
                  : fmt::format("`‹source.list›` has the names, `{}` begins",
                                domain::NextStep("harvest.run", {NameOf(command)})));
}

Result<std::vector<contract::Certificate>> VerifyCompleteness::Run(const VerifyCommand& command) {
  std::vector<contract::Certificate> certificates;
  for (const auto& asked : PATRA_TRY(WhatIsAsked(command))) {
    const auto& range = asked.range;
    const Instant days_end =
        std::chrono::floor<std::chrono::days>(range.from) + std::chrono::days(command.days_max);
    DaysOfProofDraft days({range.from, std::clamp(days_end, range.from, range.to)});
    certificates.push_back(
        PATRA_TRY(Certify(asked, [&](const auto& slice, const auto&) { days.Add(slice); })));
    certificates.back().days = std::move(days).Finish(certificates.back());
  }
  return certificates;
}

Result<VerifyCompleteness::DaysPage> VerifyCompleteness::Days(const VerifyCommand& command,
                                                              const std::optional<Instant>& first,
                                                              int days_max) {
  const auto all = PATRA_TRY(WhatIsAsked(command));
  const auto earliest =
      std::ranges::min(all, {}, [](const Asked& asked) { return asked.range.from; });
  const Instant from = std::chrono::floor<std::chrono::days>(first.value_or(earliest.range.from));
  const Instant to = from + std::chrono::days(days_max);
  DaysPage page;
  for (const auto& asked : all) {
    const auto& whole = asked.range;
    if (whole.to > to) page.next = to;
    const contract::Stretch range{std::max(whole.from, from), std::min(whole.to, to)};
    if (range.to <= range.from) continue;
    DaysOfProofDraft draft(range);
    const auto certificate = PATRA_TRY(
        Certify({asked.query, range}, [&](const auto& slice, const auto&) { draft.Add(slice); }));
    page.days.push_back({.key = asked.query.key, .range = whole, .from = draft.from(), .days = {}});
    page.days.back().days = std::move(draft).Finish(certificate);
  }
  return page;
}

Result<contract::Certificate> VerifyCompleteness::Certify(const Asked& asked,
                                                          const OnSlice& on_slice) {
  const auto& [query, range] = asked;
  const auto& key = query.key;
  const auto window = PATRA_TRY(domain::Window::Between(range.from, range.to));
  const auto proven = PATRA_TRY(queries_.Proven(key, range));
  CertificateDraft draft(key, window, proven);

  // By the snapshot of their plans: those that a program of another version wrote are not compared.
  std::map<std::string, std::vector<std::string>> differences;
  PATRA_TRY(ForEachSlice(key, range, [&](const auto& slice, const auto& promise) {
    const auto [found, is_new] = differences.try_emplace(promise.fingerprint);
    if (is_new && query.asked)
      found->second = DifferencesOf(slice.plan, *query.asked).value_or(std::vector<std::string>());
    draft.Add(slice, promise, found->second);
    if (on_slice) on_slice(slice, promise);
  }));
  if (draft.has_imbalances()) {
    PATRA_TRY(ForEachSlice(key, range, [&](const auto& slice, const auto& promise) {
      draft.Outdate(slice, promise);
    }));
  }
  const auto quarantine_open = PATRA_TRY(queries_.OpenQuarantine(key, range));
  return std::move(draft).Finish(quarantine_open, clock_.Now());
}

Result<std::vector<std::string>> VerifyCompleteness::DifferencesOf(Id plan,
                                                                   const std::string& asked) const {
  const auto snapshot = PATRA_TRY(ParseJson(PATRA_TRY(queries_.SnapshotOf(plan))));
  const auto spec = PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot));
  return domain::DifferencesOf(domain::AskedBy(spec),
                               domain::AskedFrom(PATRA_TRY(ParseJson(asked))));
}

Result<void> VerifyCompleteness::ForEachSlice(const contract::CoverageKey& key,
                                              const contract::Stretch& range,
                                              const OnSlice& on_slice) {
  std::map<Id, contract::TotalPromise> promises;
  std::optional<contract::SliceRow> last;
  while (true) {
    const auto slices = PATRA_TRY(queries_.SlicesIn(key, range, last, kSlicesPerPage));
    for (const auto& slice : slices) {
      auto promise = promises.find(slice.plan);
      if (promise == promises.end()) {
        auto told = PATRA_TRY(queries_.PromiseOf(slice.plan));
        promise = promises.emplace(slice.plan, std::move(told)).first;
      }
      on_slice(slice, promise->second);
    }
    if (slices.size() < kSlicesPerPage) return {};
    last = slices.back();
  }
}

}  // namespace patra::app
