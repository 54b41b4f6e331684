#include "domain/item/record_diff.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/value.h"
#include "domain/item/kept_fields.h"

namespace patra::domain {
namespace {

using DiffKind = RecordDiff::Kind;

const Value* Find(const Value::Object& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? nullptr : &found->second;
}

bool Equal(const Value* one, const Value* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return *one == *other;
}

Result<std::vector<std::string>> DifferentFields(const StoredItem& stored, const Record& record) {
  std::vector<std::string> different;
  if (stored.fields != record.fields) {
    const auto before = PATRA_TRY(FieldsIn(stored.fields));
    const auto after = PATRA_TRY(FieldsIn(record.fields));
    std::set<std::string> names;
    for (const auto& [name, value] : before) names.insert(name);
    for (const auto& [name, value] : after) names.insert(name);
    for (const auto& name : names) {
      const auto* value = Find(after, name);
      const bool is_kept =
          record.kept_fields && IsEmpty(value) &&
          std::ranges::find(*record.kept_fields, name) != record.kept_fields->end();
      if (!is_kept && !Equal(Find(before, name), value)) different.push_back(name);
    }
  }
  if (stored.version.deleted != record.version.deleted) different.emplace_back("(deleted)");
  if (stored.merged_into != record.merged_into) different.emplace_back("(merged into)");
  return different;
}

// What the provider says about a version; when we looked is not part of it.
auto AgeByProvider(const ItemVersion& version) {
  return std::tie(version.updated_at, version.provider_version);
}

}  // namespace

Result<RecordDiff> Compare(const StoredItem* stored, const Record& record) {
  if (stored == nullptr) return RecordDiff{.kind = DiffKind::kNew};
  RecordDiff diff{.is_newer = AgeByProvider(record.version) > AgeByProvider(stored->version),
                  .fields = PATRA_TRY(DifferentFields(*stored, record))};
  if (diff.fields.empty()) return diff;
  diff.kind = AgeByProvider(record.version) < AgeByProvider(stored->version) ? DiffKind::kOlder
                                                                             : DiffKind::kChanged;
  return diff;
}

}  // namespace patra::domain
