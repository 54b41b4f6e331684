#include "app/plan/asked_otherwise.h"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "domain/alert/alert_kind.h"
#include "domain/spec/asked.h"
#include "domain/spec/enumerator.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

constexpr std::size_t kKeysNamed = 3;

// A snapshot that a newer program wrote cannot be compared: it is taken for one that asks otherwise, nobody knows in what.
std::optional<domain::Asked> AskedIn(const std::string& snapshot) {
  const auto value = ParseJson(snapshot);
  if (!value) return std::nullopt;
  const auto spec = domain::SpecSnapshot::FromValue(*value);
  return spec ? std::optional(domain::AskedBy(*spec)) : std::nullopt;
}

std::vector<domain::Window> Without(const domain::Coverage& windows,
                                    const domain::Coverage& others) {
  std::vector<domain::Window> rest;
  for (const auto& window : windows.windows()) {
    const auto gaps = others.GapsIn(window);
    rest.insert(rest.end(), gaps.begin(), gaps.end());
  }
  return rest;
}

}  // namespace

Result<std::optional<AskedOtherwise>> FindAskedOtherwise(const PlanPorts& ports,
                                                         const domain::SpecSnapshot& spec,
                                                         const domain::Lane& lane,
                                                         const std::string& query_hash,
                                                         std::optional<Instant> up_to) {
  // A list that knows no time is read whole by every harvest, as the definition asks then.
  if (!up_to || !domain::EnumerationOf(spec).knows_time) return std::nullopt;
  const auto window = domain::Window::Between(spec.window.start, *up_to);
  if (!window) return std::nullopt;

  const auto asked = domain::AskedBy(spec);
  std::set<std::string> alike;
  std::set<std::string> others;
  std::set<std::string> keys;
  for (const auto& [fingerprint, snapshot] : PATRA_TRY(ports.queries.Snapshots(lane, query_hash))) {
    const auto then = AskedIn(snapshot);
    (then == asked ? alike : others).insert(fingerprint);
    if (!then) continue;
    for (auto& key : domain::DifferencesOf(*then, asked)) keys.insert(std::move(key));
  }
  if (others.empty()) return std::nullopt;

  const auto then = PATRA_TRY(ports.queries.ProvenUnder(lane, query_hash, others, *window));
  const auto since = PATRA_TRY(ports.queries.ProvenUnder(lane, query_hash, alike, *window));
  const auto proven = PATRA_TRY(ports.cursors.CoverageIn(lane, query_hash, *window));
  const domain::Coverage unproven(proven.GapsIn(*window));
  auto rest = Without(domain::Coverage(Without(then, since)), unproven);
  if (rest.empty()) return std::nullopt;
  return AskedOtherwise{.stretches = std::move(rest), .keys = {keys.begin(), keys.end()}};
}

std::string Describe(const AskedOtherwise& otherwise, const domain::Lane& lane) {
  const auto& stretches = otherwise.stretches;
  const std::span keys(otherwise.keys.data(), std::min(otherwise.keys.size(), kKeysNamed));
  return fmt::format(
      "{}{} was proven by a definition that asked otherwise{}: what only this one asks for is not "
      "here; `{}` reads it again",
      stretches.front().Describe(),
      stretches.size() > 1 ? fmt::format(" and {} more", stretches.size() - 1) : "",
      keys.empty() ? "" : fmt::format(" ({})", fmt::join(keys, ", ")),
      domain::NextStep(
          "harvest.window_again",
          {fmt::format("{}/{}", lane.provenance, lane.endpoint),
           FormatRfc3339(stretches.front().from()), FormatRfc3339(stretches.back().to())}));
}

Result<void> NoteAsked(const PlanPorts& ports, const domain::SpecSnapshot& spec,
                       const domain::Lane& lane, const std::string& query_hash,
                       const std::optional<AskedOtherwise>& otherwise) {
  PATRA_TRY(ports.queries.Note(
      lane, query_hash,
      {.begins = spec.window.start, .asked = PrintJson(domain::ToValue(domain::AskedBy(spec)))}));
  if (ports.alerts == nullptr) return {};
  const domain::AlertAbout about{.source = lane.provenance, .endpoint = lane.endpoint};
  if (otherwise)
    return ports.alerts->Raise(
        domain::AlertOf(domain::AlertKind::kAskedOtherwise, about, Describe(*otherwise, lane)));
  PATRA_TRY(ports.alerts->Resolve(domain::AlertKey(domain::AlertKind::kAskedOtherwise, about)));
  return {};
}

}  // namespace patra::app
