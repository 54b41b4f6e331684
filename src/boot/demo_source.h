// The simulator's generic REST source, as patra sees it, and how to tell whether a store holds what the
// simulated provider has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "contract/items.h"
#include "domain/spec/definition.h"
#include "domain/spec/spec_snapshot.h"
#include "sim/simulator.h"

namespace patra::boot {

// How late a record may show up, after its own update time: the safety lag is longer.
inline constexpr Duration kDemoLatestArrival = std::chrono::hours(1);

// What a simulated world is made of: the same makes the same one.
struct DemoWorld {
  std::int64_t records = 20'000;
  std::uint64_t seed = 1;
  Instant begin{};
};

// Harvested from `begin` on, from the simulator at `url`: as people write it, and compiled.
std::string DemoDefinition(const std::string& url, const DemoWorld& world);
// The world that a stored definition was written for; none where it says nothing about it.
std::optional<DemoWorld> WorldOf(const domain::DefinitionNode& definition);
domain::SpecSnapshot DemoSource(const std::string& url, Instant begin);

struct Difference {
  std::int64_t truth = 0;    // records that a correct store holds
  std::int64_t missing = 0;  // not in the store
  std::int64_t wrong = 0;    // there with other content, or alive where it is deleted
  std::string first{};       // an example

  bool empty() const { return missing == 0 && wrong == 0; }
};

// What is compared with what.
struct TruthOf {
  std::string truth = "rest/deleted";  // as the simulator names it
  std::string provenance = "demo";
  std::string endpoint = "items";
};

// Looks every record that changed in [from, to) up in the store.
Result<Difference> CompareWithTruth(const sim::Simulator& simulator, contract::ItemQueries& items,
                                    Instant from, Instant to, const TruthOf& of = {});

}  // namespace patra::boot
