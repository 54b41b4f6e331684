#include "domain/plan/provenance_config.h"

#include <algorithm>

#include "base/canonical_json.h"

namespace patra::domain {
namespace {

// Members of `whole` that are not in `part`, at any depth of objects.
Value::Object Rest(const Value::Object& whole, const Value::Object& part) {
  Value::Object rest;
  for (const auto& [name, value] : whole) {
    const auto known = part.find(name);
    if (known == part.end()) {
      rest.emplace(name, value);
      continue;
    }
    const auto* inner = value.AsObject();
    const auto* inner_part = known->second.AsObject();
    if (inner == nullptr || inner_part == nullptr) continue;
    if (auto inner_rest = Rest(*inner, *inner_part); !inner_rest.empty())
      rest.emplace(name, std::move(inner_rest));
  }
  return rest;
}

}  // namespace

std::string ProvenanceConfig(const SpecSnapshot& spec) {
  const auto whole = spec.ToValue();
  const auto prototype = spec.ExprPrototype();
  auto config = Rest(*whole.AsObject(), *prototype.AsObject());
  config["provenance"] = spec.provenance;
  config["endpoint"] = spec.endpoint;
  return CanonicalJson(config);
}

}  // namespace patra::domain
