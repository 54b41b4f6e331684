#include "domain/plan/expression.h"

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/time.h"

namespace patra::domain {
namespace {

// A filter that includes its upper end must not be given `to`, which belongs to the next slice.
Instant LastMoment(Granularity granularity, const Window& window) {
  return FloorTo(window.to() - Duration(1), LengthOf(granularity));
}

Value SplitValues(const SliceSpec& slice) {
  Value::Object split;
  for (const auto& part : slice.split) {
    Value::Object bounds;
    if (!part.from.empty()) bounds["from"] = part.from;
    if (!part.to.empty()) bounds["to"] = part.to;
    if (!part.value.empty()) bounds["value"] = part.value;
    split[part.name] = std::move(bounds);
  }
  return split;
}

Value Pairs(const NamedTexts& texts) {
  Value::Array pairs;
  for (const auto& [name, text] : texts) pairs.emplace_back(Value::Array{name, text});
  return pairs;
}

// Without what a request has whatever it asks for: address, credentials, time-outs.
Value TemplatesOf(const HttpSpec& http) {
  Value::Object templates{{"method", CodeOf(http.method)}, {"path", http.path}};
  if (!http.query.empty()) templates["query"] = Pairs(http.query);
  if (http.next_query) templates["nextQuery"] = Pairs(*http.next_query);
  if (!http.headers.empty()) templates["headers"] = Pairs(http.headers);
  if (!http.json_body.is_null()) templates["body"] = http.json_body;
  if (!http.form_body.empty()) templates["form"] = Pairs(http.form_body);
  return templates;
}

}  // namespace

ExpressionPrototype ExpressionPrototype::Of(const SpecSnapshot& spec) {
  Value::Object requests{{"search", TemplatesOf(spec.http)}};
  if (spec.details) requests["detail"] = TemplatesOf(spec.details->http);
  return {.query = spec.query,
          .params = spec.params,
          .ends = spec.window.ends,
          .granularity = spec.window.granularity,
          .requests = std::move(requests)};
}

Value BoundValues(const ExpressionPrototype& prototype, const SliceSpec& slice) {
  const auto last = LastMoment(prototype.granularity, slice.window);
  const bool is_included = prototype.ends == WindowEnds::kInclusive;
  Value::Object params;
  for (const auto& [name, text] : prototype.params) {
    if (!text.empty()) params.emplace(name, text);
  }
  Value::Object values{
      {"window", Value::Object{{"from", FormatRfc3339(slice.window.from())},
                               {"to", FormatRfc3339(is_included ? last : slice.window.to())},
                               {"last", FormatRfc3339(last)}}},
      {"split", SplitValues(slice)},
      {"params", std::move(params)}};
  if (prototype.query) values["query"] = *prototype.query;
  return values;
}

LocalisedExpr Localise(const ExpressionPrototype& prototype, std::string_view expr_proto_hash,
                       std::string_view query_hash, const SliceSpec& slice) {
  auto snapshot = CanonicalJson(Value::Object{{"proto", expr_proto_hash},
                                              {"query", query_hash},
                                              {"slice", slice.Identity()},
                                              {"values", BoundValues(prototype, slice)},
                                              {"requests", prototype.requests}});
  auto hash = Sha256Hex(snapshot);
  return {std::move(snapshot), std::move(hash)};
}

std::optional<Value> ValuesIn(std::string_view expr_snapshot) {
  const auto expression = ParseJson(expr_snapshot);
  const auto* values = expression ? expression->Find("values") : nullptr;
  return values == nullptr ? std::nullopt : std::optional(*values);
}

}  // namespace patra::domain
