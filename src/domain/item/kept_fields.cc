#include "domain/item/kept_fields.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/integer.h"

namespace patra::domain {
namespace {

// One version's word about one field.
struct Said {
  const Value* value = nullptr;  // null: nothing
  const ItemVersion* version = nullptr;
};

Said SaidBy(const FoldedFields& from, const std::string& name) {
  const auto found = from.fields.find(name);
  if (found == from.fields.end() || IsEmpty(&found->second)) return {};
  const auto older = from.since.find(name);
  return {&found->second, older == from.since.end() ? &from.version : &older->second};
}

// Numbers may be larger than JSON's, so they are texts.
Value VersionValue(const ItemVersion& version) {
  return Value::Array{fmt::to_string(version.updated_at.time_since_epoch().count()),
                      fmt::to_string(version.provider_version),
                      fmt::to_string(version.mapping_generation),
                      fmt::to_string(version.fetched_at.time_since_epoch().count()),
                      ToHex(version.content_hash),
                      version.deleted};
}

std::optional<std::int64_t> WholeNumberIn(const Value& value) {
  const auto* text = value.AsString();
  return text == nullptr ? std::nullopt : ParseInteger(*text);
}

std::optional<Sha256Digest> DigestIn(const Value* value) {
  const auto* text = value == nullptr ? nullptr : value->AsString();
  return text == nullptr ? std::nullopt : DigestFromHex(*text);
}

std::optional<ItemVersion> VersionIn(const Value& value) {
  constexpr std::size_t kParts = 6;
  const auto* parts = value.AsArray();
  if (parts == nullptr || parts->size() != kParts) return std::nullopt;
  const auto updated_at = WholeNumberIn((*parts)[0]);
  const auto provider_version = WholeNumberIn((*parts)[1]);
  const auto generation = WholeNumberIn((*parts)[2]);
  const auto fetched_at = WholeNumberIn((*parts)[3]);
  const auto hash = DigestIn(&(*parts)[4]);
  const auto* deleted = (*parts)[5].AsBool();
  if (!updated_at || !provider_version || !generation || !fetched_at || !hash ||
      deleted == nullptr) {
    return std::nullopt;
  }
  return ItemVersion{.updated_at = Instant(Duration(*updated_at)),
                     .provider_version = *provider_version,
                     .mapping_generation = *generation,
                     .fetched_at = Instant(Duration(*fetched_at)),
                     .content_hash = *hash,
                     .deleted = *deleted};
}

}  // namespace

Result<Value::Object> FieldsIn(std::string_view json) {
  auto value = PATRA_TRY(ParseJson(json));
  if (value.AsObject() == nullptr)
    return Fail(ErrorCode::kCorruption, "a record's fields are no object");
  return std::move(*value.AsObject());
}

bool IsEmpty(const Value* value) {
  if (value == nullptr || value->is_null()) return true;
  if (const auto* text = value->AsString()) return text->empty();
  if (const auto* list = value->AsArray()) return list->empty();
  if (const auto* object = value->AsObject()) return object->empty();
  return false;
}

FoldedFields Fold(const FoldedFields& stored, const FoldedFields& incoming,
                  std::span<const std::string> kept) {
  const bool is_newer = incoming.version > stored.version;
  const auto& newest = is_newer ? incoming : stored;
  FoldedFields folded{.version = newest.version, .fields = newest.fields};
  for (const auto& name : kept) {
    const auto was = SaidBy(stored, name);
    const auto is = SaidBy(incoming, name);
    if (was.value == nullptr && is.value == nullptr) continue;
    const bool takes_new =
        was.value == nullptr || (is.value != nullptr && *is.version > *was.version);
    const auto& said = takes_new ? is : was;
    folded.fields.insert_or_assign(name, *said.value);
    if (*said.version != folded.version) folded.since.emplace(name, *said.version);
  }
  return folded;
}

std::optional<Value> KeptValue(const FoldedFields& folded) {
  if (folded.since.empty()) return std::nullopt;
  Value::Object since;
  for (const auto& [name, version] : folded.since) since.emplace(name, VersionValue(version));
  return Value(Value::Object{{"own", ToHex(folded.version.content_hash)},
                             {"since", Value(std::move(since))}});
}

Result<void> ReadKept(const Value& value, FoldedFields& into) {
  const auto bad = [] { return Fail(ErrorCode::kCorruption, "a record's `kept` cannot be read"); };
  const auto own = DigestIn(value.Find("own"));
  const auto* since = value.Find("since");
  if (!own || since == nullptr || since->AsObject() == nullptr) return bad();
  into.version.content_hash = *own;
  for (const auto& [name, version] : *since->AsObject()) {
    auto read = VersionIn(version);
    if (!read) return bad();
    into.since.emplace(name, *std::move(read));
  }
  return {};
}

}  // namespace patra::domain
