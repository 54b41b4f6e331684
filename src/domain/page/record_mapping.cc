#include "domain/page/record_mapping.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/item/record_date.h"

namespace patra::domain {
namespace {

constexpr std::size_t kConcernsMax = 100;

std::shared_ptr<const std::vector<std::string>> KeptFields(const std::vector<FieldSpec>& fields) {
  std::vector<std::string> names;
  for (const auto& field : fields) {
    if (field.keep_when_empty) names.push_back(field.name);
  }
  if (names.empty()) return nullptr;
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

// So that no two lists of parts become one id when they are joined.
std::string Escaped(const std::string& part, const std::string& join) {
  std::string escaped;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool is_join = !join.empty() && part.compare(i, join.size(), join) == 0;
    if (part[i] == '\\' || is_join) escaped += '\\';
    escaped += part[i];
  }
  return escaped;
}

}  // namespace

Result<RecordMapping> RecordMapping::Compile(const ResponseSpec& response,
                                             const std::vector<FieldSpec>& fields,
                                             const PathOptions& options, const TimeZone& zone) {
  RecordMapping mapping(response);
  for (const auto& path : response.id)
    mapping.id_.push_back(PATRA_TRY(Path::Compile(path, options)));
  if (options.language == PathLanguage::kJsonPath) {
    for (const auto& path : response.id) mapping.id_ways_.push_back(PATRA_TRY(SimpleWayOf(path)));
  }
  struct Optional {
    const std::optional<std::string>& text;
    std::optional<Path>& path;
  };
  for (const auto& [text, path] :
       {Optional{response.updated, mapping.updated_}, Optional{response.version, mapping.version_},
        Optional{response.deleted, mapping.deleted_},
        Optional{response.merged_into, mapping.merged_into_},
        Optional{response.retracts, mapping.retracts_}}) {
    if (text) path = PATRA_TRY(Path::Compile(*text, options));
  }
  mapping.updated_dates_ = PATRA_TRY(DateReader::Compile(response.updated_formats, zone));
  for (const auto& field : fields)
    mapping.fields_.push_back(PATRA_TRY(FieldReader::Compile(field, options, zone)));
  mapping.kept_fields_ = KeptFields(fields);
  return mapping;
}

std::expected<std::string, RecordMapping::Flaw> RecordMapping::ReadId(Node item,
                                                                      Computed& computed) const {
  auto id = ReadTypedId(item, computed);
  if (!id) return std::unexpected(std::move(id).error());
  return std::move(id->text);
}

std::expected<RecordMapping::TypedId, RecordMapping::Flaw> RecordMapping::ReadTypedId(
    Node item, Computed& computed) const {
  std::string id;
  bool has_number = false;
  for (std::size_t i = 0; i < id_.size(); ++i) {
    if (const auto twice = id_ways_.empty() ? std::nullopt : FindTwice(item, id_ways_[i])) {
      return std::unexpected(
          Flaw{response_.id[i], "exact", fmt::format("'{}' stands twice in the record", *twice)});
    }
    const auto found = NodeAt(id_[i], item, computed);
    if (!found) return std::unexpected(Flaw{response_.id[i], "one", found.error().message});
    const auto& part = *found;
    if (!part) return std::unexpected(Flaw{response_.id[i], "required", "the record has no id"});
    if (part->is_array() || part->is_object()) {
      return std::unexpected(Flaw{response_.id[i], "exact",
                                  fmt::format("the id is {}, and not one value",
                                              part->is_array() ? "a list" : "an object")});
    }
    const auto text = part->Text();
    has_number = has_number || part->type() == NodeType::kNumber;
    if (IsRounded(*part)) {
      return std::unexpected(Flaw{
          response_.id[i], "exact",
          fmt::format("the id is a number that cannot be kept exactly, and {} may be another's",
                      text)});
    }
    if (i > 0) id += response_.id_join;
    id += id_.size() > 1 ? Escaped(text, response_.id_join) : text;
  }
  if (id.size() > kItemIdBytesMax) {
    return std::unexpected(Flaw{
        response_.id.front(), "size",
        fmt::format("the id has {} bytes, and more than {} are none", id.size(), kItemIdBytesMax)});
  }
  return TypedId{InCase(std::move(id), response_.id_case), has_number};
}

std::expected<RecordMapping::Dates, RecordMapping::Flaw> RecordMapping::ReadUpdated(
    Node item, Computed& computed, Instant fetched_at) const {
  if (!updated_) return Dates{.version = fetched_at};
  const auto text = TextAt(updated_, item, computed);
  if (!text) return std::unexpected(Flaw{*response_.updated, "one", text.error().message});
  const auto moment = *text ? updated_dates_->Read(**text, fetched_at)
                            : Fail(ErrorCode::kNotFound, "the record has no update time");
  if (!moment) return std::unexpected(Flaw{*response_.updated, "date", moment.error().message});
  const bool may_lie_ahead = response_.updated_may_lie_ahead;
  const auto version = VersionTime(*moment, fetched_at, may_lie_ahead);
  if (!version) return std::unexpected(Flaw{*response_.updated, "future", version.error().message});
  return Dates{.version = *version, .dated = may_lie_ahead ? std::optional(*moment) : std::nullopt};
}

std::expected<void, RecordMapping::Flaw> RecordMapping::ReadMarks(Node item, Computed& computed,
                                                                  Record& record) const {
  const auto version = TextAt(version_, item, computed);
  if (!version) return std::unexpected(Flaw{*response_.version, "one", version.error().message});
  if (const auto number = WholeNumber(*version)) record.version.provider_version = *number;
  // Of several marks one is enough.
  const auto marks = deleted_ ? deleted_->Select(item, computed) : std::vector<Node>();
  record.version.deleted =
      marks && std::ranges::any_of(*marks, [](const Node& mark) { return IsTrue(mark); });
  auto merged = TextAt(merged_into_, item, computed);
  if (!merged) return std::unexpected(Flaw{*response_.merged_into, "one", merged.error().message});
  record.merged_into = *std::move(merged);
  return {};
}

std::expected<std::string, RecordMapping::Flaw> RecordMapping::ReadFields(
    Node item, Computed& computed, Instant fetched_at, Lenience lenience, Record& record) const {
  Value::Object mapped;
  for (const auto& field : fields_) {
    auto value = field.Read(item, computed, fetched_at);
    if (!value) {
      if (lenience == Lenience::kMayBeWrong) continue;
      const auto& error = value.error();
      return std::unexpected(
          Flaw{field.spec().path, error.hint.empty() ? "size" : error.hint, error.message});
    }
    if (*value) {
      mapped.emplace(field.spec().name, **std::move(value));
    } else if (field.spec().required && lenience == Lenience::kNone) {
      return std::unexpected(
          Flaw{field.spec().path, "required", fmt::format("'{}' is missing", field.spec().name)});
    } else if (field.spec().signal_when_empty && lenience == Lenience::kNone) {
      record.concerns.push_back({.item_id = record.id,
                                 .type = "MISSING_FIELD",
                                 .note = fmt::format("'{}' is empty", field.spec().name)});
    }
  }
  return CanonicalJson(mapped);
}

// What the record says about others. A path that fails finds nothing.
void RecordMapping::ReadConcerns(Node item, Computed& computed, Record& record) const {
  if (record.merged_into)
    record.concerns.push_back({.item_id = *record.merged_into,
                               .type = "MERGE",
                               .note = fmt::format("{} became part of it", record.id)});
  const auto retracted = retracts_ ? retracts_->Select(item, computed) : std::vector<Node>();
  if (!retracted) return;
  for (const auto& node : *retracted) {
    if (record.concerns.size() >= kConcernsMax) return;
    if (IsEmpty(node) || node.Text().size() > kItemIdBytesMax) continue;
    record.concerns.push_back({.item_id = InCase(node.Text(), response_.id_case),
                               .type = "RETRACTION",
                               .note = fmt::format("{} speaks of it", record.id)});
  }
}

std::expected<Record, RecordMapping::Flaw> RecordMapping::ReadRecord(Node item, Instant fetched_at,
                                                                     bool is_lenient) const {
  Computed computed;
  Record record;
  auto id = ReadTypedId(item, computed);
  if (!id && !is_lenient) return std::unexpected(std::move(id).error());
  if (id) {
    record.id = std::move(id->text);
    record.id_is_number = id->has_number;
  }
  auto updated = ReadUpdated(item, computed, fetched_at);
  if (!updated && !is_lenient) return std::unexpected(std::move(updated).error());
  const auto dates = updated.value_or(Dates{.version = fetched_at});
  record.version = {.updated_at = dates.version, .fetched_at = fetched_at};
  record.dated_at = dates.dated;
  auto marks = ReadMarks(item, computed, record);
  if (!marks && !is_lenient) return std::unexpected(std::move(marks).error());
  if (record.merged_into && record.merged_into->size() > kItemIdBytesMax && !is_lenient) {
    return std::unexpected(Flaw{std::string(merged_into_->text()), "size",
                                fmt::format("the id that it became part of has {} bytes, and more "
                                            "than {} are none",
                                            record.merged_into->size(), kItemIdBytesMax)});
  }
  if (record.merged_into)
    record.merged_into = InCase(*std::move(record.merged_into), response_.id_case);
  ReadConcerns(item, computed, record);

  const auto lenience = is_lenient               ? Lenience::kMayBeWrong
                        : record.version.deleted ? Lenience::kMayLack
                                                 : Lenience::kNone;
  auto fields = ReadFields(item, computed, fetched_at, lenience, record);
  if (!fields) return std::unexpected(std::move(fields).error());
  record.fields = *std::move(fields);
  record.version.content_hash = Sha256(record.fields);
  record.kept_fields = kept_fields_;
  return record;
}

}  // namespace patra::domain
