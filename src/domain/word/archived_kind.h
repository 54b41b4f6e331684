// What of the ledger is moved out of a store when it is old. A file of the archive holds one kind of one source.
#pragma once

#include <array>

#include "domain/word/codes.h"

namespace patra::domain {

// In the order in which they go: a batch stays as long as its page does.
enum class ArchivedKind { kRawPages, kBatches, kCursorEvents };
constexpr auto CodesOf(ArchivedKind) {
  using enum ArchivedKind;
  return std::to_array<Coded<ArchivedKind>>(
      {{kRawPages, "PAGES"}, {kBatches, "BATCHES"}, {kCursorEvents, "EVENTS"}});
}

}  // namespace patra::domain
