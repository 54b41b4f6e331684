#include "app/remap/look_anew.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "domain/item/kept_fields.h"
#include "domain/item/mapped_anew.h"

namespace patra::app {
namespace {

constexpr std::size_t kSamples = 3;
constexpr std::size_t kSampleBytesMax = 200;
// Names of fields stand in the definition, but for those that were mapped by an earlier one.
constexpr std::size_t kFieldsMax = 1'000;

std::string Shown(const Value::Object& fields, const std::string& name) {
  const auto found = fields.find(name);
  if (found == fields.end()) return {};
  auto text = CanonicalJson(found->second);
  if (text.size() > kSampleBytesMax) {
    text.resize(kSampleBytesMax);
    text += "…";
  }
  return text;
}

void AddSample(std::vector<std::string>& samples, std::string text) {
  if (samples.size() < kSamples) samples.push_back(std::move(text));
}

}  // namespace

void LookAnew::Note(const LostPage& page) {
  ++look_.pages;
  ++look_.pages_lost;
  if (look_.why_lost.empty()) look_.why_lost = page.reason;
}

Result<void> LookAnew::Note(const MappedPage& page) {
  ++look_.pages;
  std::vector<std::string> ids;
  for (const auto& record : page.content.records) ids.push_back(record.id);
  const auto stored = PATRA_TRY(batches_.Stored(page.batch.task.lane, ids));
  for (std::size_t i = 0; i < ids.size(); ++i)
    PATRA_TRY(
        Note(page.content.records[i], stored[i] ? &*stored[i] : nullptr, page.batch.lineage.batch));
  for (const auto& bad : page.content.bad_records) {
    ++look_.bad;
    AddSample(look_.first_bad,
              fmt::format("{}: {}: {}", bad.id.value_or("without an id"), bad.path, bad.reason));
  }
  return {};
}

Result<void> LookAnew::Note(const domain::Record& record, const domain::StoredItem* stored,
                            Id batch) {
  if (stored == nullptr) {
    ++look_.fresh;
    AddSample(look_.first_fresh, record.id);
    return {};
  }
  if (domain::WhoDecides(*stored, record, batch) != domain::Decides::kThisPage) {
    ++look_.left_alone;
    return {};
  }
  if (domain::IsAsItWas(*stored, record)) {
    ++look_.same;
    return {};
  }
  ++look_.changed;
  return NoteFields(record, *stored);
}

Result<void> LookAnew::NoteFields(const domain::Record& record, const domain::StoredItem& stored) {
  const auto before = PATRA_TRY(domain::FieldsIn(stored.fields));
  const auto after = PATRA_TRY(domain::FieldsIn(record.fields));
  const auto note = [&](const std::string& name, std::string was, std::string is) {
    if (was == is || (fields_.size() >= kFieldsMax && !fields_.contains(name))) return;
    auto& change = fields_[name];
    ++change.records;
    if (change.samples.size() < kSamples)
      change.samples.push_back({record.id, std::move(was), std::move(is)});
  };
  for (const auto& [name, value] : before) note(name, Shown(before, name), Shown(after, name));
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) note(name, {}, Shown(after, name));
  }
  note("(updated)", FormatRfc3339(stored.version.updated_at),
       FormatRfc3339(record.version.updated_at));
  note("(deleted)", stored.version.deleted ? "true" : "false",
       record.version.deleted ? "true" : "false");
  note("(merged into)", stored.merged_into.value_or(""), record.merged_into.value_or(""));
  return {};
}

RemapLook LookAnew::Finish(bool is_whole) && {
  look_.is_whole = is_whole;
  look_.fields.assign(std::make_move_iterator(fields_.begin()),
                      std::make_move_iterator(fields_.end()));
  return std::move(look_);
}

}  // namespace patra::app
