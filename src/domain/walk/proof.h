// Whether a slice that was read to its end may be called complete, beside its balance (I14).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/item/record.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// What keeps it from being proven, for people; nothing where nothing does.
//
// A provider that sends more than a part (`window.outside_max`) of what its filter should have held back does not filter:
// what it announces and ends with says nothing about the window. Of a page that a rule isolated nobody knows what
// it holds.
std::optional<std::string> WhyUnproven(const SpecSnapshot& spec, const RecordCounts& counts,
                                       std::optional<std::int64_t> announced);

}  // namespace patra::domain
