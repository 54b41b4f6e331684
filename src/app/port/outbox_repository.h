// What leaves for other systems: each message is leased, sent, and marked. It may be sent twice (a sender can die
// in between) and never zero times; receivers drop the second one by its dedup key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "app/port/outbox_message.h"
#include "base/id.h"

namespace patra::app {

struct OutboxLease {
  std::string channel;
  std::string owner;
  int messages_max = 100;
  Duration lease{};
};

struct LeasedMessage {
  Id id = 0;
  Id batch = 0;
  OutboxMessage message;
  int attempts = 0;  // before this one
};

// Of what has not left.
struct OutboxRow {
  Id id = 0;
  OutboxMessage message;
  int retries = 0;
  std::optional<std::string> error{};
  Instant created_at{};
  Instant not_before{};
};

struct OutboxFilter {
  std::string channel;
  bool dead = false;  // else what still waits
  int messages_max = 100;
};

class OutboxRepository {
 public:
  virtual ~OutboxRepository() = default;

  // The oldest that are due. A message waits for those of its lane key that stand before it and are not
  // published; one that was leased and not marked in time is leased again.
  virtual Result<std::vector<LeasedMessage>> Lease(const OutboxLease& lease) = 0;
  // Conflict, where the lease is lost.
  virtual Result<void> Published(const LeasedMessage& message, const std::string& owner) = 0;
  // Without a time to try again the message is DEAD, and those behind it go on.
  virtual Result<void> Failed(const LeasedMessage& message, const std::string& owner,
                              const std::string& error, std::optional<Instant> again_at) = 0;

  // Gives messages about records their positions, in the order in which they were committed; to how many. Nobody hears of
  // those that have none.
  virtual Result<int> NumberChanges(int messages_max) = 0;

  virtual Result<std::vector<OutboxRow>> List(const OutboxFilter& filter) = 0;  // oldest first
  // A DEAD message is PENDING again; audited.
  virtual Result<void> Requeue(Id message, const Decision& decision) = 0;
};

}  // namespace patra::app
