// Whether what counts as proven was asked for as the definition asks now. One that was corrected to ask for more would else find
// everything proven, and nobody would be told that the rest was never asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plan/plan_ports.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct AskedOtherwise {
  std::vector<domain::Window> stretches;  // proven by no definition that asks as this one does
  std::vector<std::string> keys;  // of the definition, in which those that proved them differ
};

// Of what is proven up to that moment. Nothing where everything was asked for alike.
Result<std::optional<AskedOtherwise>> FindAskedOtherwise(const PlanPorts& ports,
                                                         const domain::SpecSnapshot& spec,
                                                         const domain::Lane& lane,
                                                         const std::string& query_hash,
                                                         std::optional<Instant> up_to);

// In words, with what reads it again.
std::string Describe(const AskedOtherwise& otherwise, const domain::Lane& lane);

// Remembers what the definition asks, for those who look at the ledger without it; with an alert while something was asked for
// otherwise.
Result<void> NoteAsked(const PlanPorts& ports, const domain::SpecSnapshot& spec,
                       const domain::Lane& lane, const std::string& query_hash,
                       const std::optional<AskedOtherwise>& otherwise);

}  // namespace patra::app
