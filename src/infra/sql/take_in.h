#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/id.h"
#include "domain/item/intake.h"
#include "domain/word/lane.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// Records on their way in, and what they come from.
struct Arrival {
  const domain::Lane& lane;
  const std::string& expr_hash;
  Id batch;
  std::string dedup_key;  // of the message that tells what changed
  bool is_update = false;
  std::string correlation{};
  std::optional<Id> since{};  // see IntakeFor
  bool maps_anew = false;     // the batch's page
};

// Writes what the domain decides about these records, with the signals and messages that follow from it: rows, signals and
// messages are there together or not at all, because the caller's transaction holds them.
Result<domain::Intake> TakeIn(Session& session, const Arrival& arrival,
                              std::span<const domain::Record> records, IdGenerator& ids,
                              Instant now);

}  // namespace patra::infra::sql
