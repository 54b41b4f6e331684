#include "app/plan/plan_origins.h"

#include "base/canonical_json.h"

namespace patra::app {

std::string OriginsJson(const std::vector<domain::Origin>& origins) {
  Value::Array list;
  for (const auto& origin : origins) {
    auto place = origin.place;
    place.pointer.clear();
    list.push_back(
        Value::Array{origin.path, origin.text, std::string(Name(origin.layer)), place.Describe()});
  }
  return CanonicalJson(list);
}

}  // namespace patra::app
