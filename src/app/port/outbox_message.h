#pragma once

#include <string>

namespace patra::app {

// Something for other systems to know, published after the commit by whoever relays the outbox.
struct OutboxMessage {
  std::string channel;
  std::string op_type;         // what happened, such as ITEM_UPDATED
  std::string partition_key;   // messages of one key keep their order
  std::string dedup_key;       // the same message is sent once
  std::string payload;         // JSON
  std::string headers = "{}";  // JSON: what goes beside the payload, such as the correlation id
};

}  // namespace patra::app
