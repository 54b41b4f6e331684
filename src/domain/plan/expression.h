// The expression that a slice asks with: the source's templates, and the values that the slice gives to all names in them but
// those that change from page to page. A slice keeps it, and what its tasks send is rendered from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// What of a source is in the expressions of its slices.
struct ExpressionPrototype {
  std::optional<std::string> query{};
  NamedTexts params{};
  WindowEnds ends = WindowEnds::kExclusive;
  Granularity granularity = Granularity::kSecond;
  Value requests = Value::Object{};  // the templates of both phases

  static ExpressionPrototype Of(const SpecSnapshot& spec);
};

// What templates may name, as a slice binds it: window, split, params and query.
Value BoundValues(const ExpressionPrototype& prototype, const SliceSpec& slice);

struct LocalisedExpr {
  std::string snapshot;  // canonical JSON
  std::string hash;
};
// The hashes are the plan's: of everything that shapes requests and the reading of answers, and of the query.
LocalisedExpr Localise(const ExpressionPrototype& prototype, std::string_view expr_proto_hash,
                       std::string_view query_hash, const SliceSpec& slice);

// The values in a stored expression; none in one that was written before they were kept.
std::optional<Value> ValuesIn(std::string_view expr_snapshot);

}  // namespace patra::domain
