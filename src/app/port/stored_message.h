// What other systems hear of a batch: the ids of the records that it changed, in one message, and each record that came
// to its end. Written with the batch: everything stored is told, and told once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/port/outbox_message.h"
#include "base/id.h"
#include "domain/item/intake.h"
#include "domain/word/lane.h"

namespace patra::app {

// The channel of everything about records.
inline constexpr std::string_view kItemChannel = "ingest.items";

// Whose records changed, and by what: `dedup_key` makes telling it twice harmless.
struct ChangeOrigin {
  const domain::Lane& lane;
  Id batch;
  std::string dedup_key;
  std::string correlation{};  // of what brought them
};

// Nothing where nothing changed.
std::optional<OutboxMessage> StoredMessage(const ChangeOrigin& origin,
                                           const domain::Intake& intake);

// A message for each record that is gone or has become part of another.
std::vector<OutboxMessage> EndsOf(const ChangeOrigin& origin, const domain::Intake& intake);

}  // namespace patra::app
