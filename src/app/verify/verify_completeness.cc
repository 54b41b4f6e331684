#include "app/verify/verify_completeness.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/verify/certify.h"
#include "domain/spec/asked.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

constexpr int kSlicesPerPage = 1000;

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

Result<std::vector<contract::Certificate>> VerifyCompleteness::Run(const VerifyCommand& command) {
  const auto known = PATRA_TRY(queries_.KnownQueries(command.source, command.endpoint));
  std::vector<contract::Certificate> certificates;
  for (const auto& query : known) {
    if (const auto range = RangeOf(command, query))
      certificates.push_back(PATRA_TRY(Certify(query, *range)));
  }
  if (certificates.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("nothing of {} was ever planned", NameOf(command)), {},
                command.endpoint.empty()
                    ? fmt::format("`{}` begins", domain::NextStep("harvest.run", {command.source}))
                    : fmt::format("`‹source.list›` has the names, `{}` begins",
                                  domain::NextStep("harvest.run", {NameOf(command)})));
  }
  return certificates;
}

Result<contract::Certificate> VerifyCompleteness::Certify(
    const contract::CompletenessQueries::Known& query, const contract::Stretch& range) {
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
