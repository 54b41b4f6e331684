#include "app/heal/acted_details.h"

namespace patra::app {

Value::Object ActedDetails(const HealEntry& entry) {
  const auto did = ParseJson(entry.did);
  const auto part = [&](std::string_view name) {
    const auto* found = did ? did->Find(name) : nullptr;
    return found == nullptr ? Value() : *found;
  };
  return {{"source", entry.lane.provenance},
          {"endpoint", entry.lane.endpoint},
          {"did", part("action")},
          {"why", part("reason")},
          {"amount", part("amount")},
          {"span", part("span")},
          {"saw", entry.saw},
          {"result", entry.result}};
}

}  // namespace patra::app
