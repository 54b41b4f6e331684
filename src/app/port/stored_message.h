// What others hear of what is stored: the records that one transaction changed, in one message. Written with them: everything
// that changes is told, and told once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/port/outbox_message.h"
#include "base/id.h"
#include "base/result.h"
#include "contract/changes.h"
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

// What such a message tells of each record, once, in the order in which it stands there: inserted, updated, deleted, merged.
Result<std::vector<contract::Change>> ChangesIn(std::string_view payload);

}  // namespace patra::app
