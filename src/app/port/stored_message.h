// What other systems hear of a batch: the ids of the records that it changed, in one message, and each record that came
// to its end. Written with the batch: everything stored is told, and told once.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/port/run_ledger.h"

namespace patra::app {

// The channel of everything about records.
inline constexpr std::string_view kItemChannel = "ingest.items";

struct StoredIds {
  std::vector<std::string_view> inserted;
  std::vector<std::string_view> updated;  // tombstones, too
};

// Nothing where nothing changed.
std::optional<OutboxMessage> StoredMessage(const BatchCommit& batch, const StoredIds& ids);

// A message for each record that is gone or has become part of another.
std::vector<OutboxMessage> EndsOf(const domain::Partition& partition,
                                  std::span<const domain::Record> records);

}  // namespace patra::app
