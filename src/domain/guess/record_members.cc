#include "domain/guess/record_members.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/partial_date.h"
#include "base/text_scanner.h"

namespace patra::domain {
namespace {

constexpr std::size_t kFieldsMost = 40;
constexpr std::size_t kIdBytesUsual = 300;
constexpr int kNoRank = 1'000;

constexpr auto kIdNames = std::to_array<std::string_view>(
    {"id", "identifier", "uuid", "guid", "doi", "pmid", "uid", "key", "isbn", "issn", "code",
     "accession", "slug", "number", "tscode"});
constexpr auto kUpdatedNames = std::to_array<std::string_view>(
    {"updatedat", "updated", "lastupdated", "updateddate", "dateupdated", "lastmodified",
     "modified", "modifiedat", "lastmodifieddate", "datemodified", "modifieddate", "datestamp",
     "changed", "lastchanged", "indexed", "lastupdate", "timestamp", "mtime"});
constexpr auto kOtherDateNames = std::to_array<std::string_view>(
    {"createdat", "created", "datecreated", "createddate", "published", "publishedat",
     "publicationdate", "datepublished", "pubdate", "date", "issued", "deposited", "registered"});
// Objects that hold what a record is about, beside what the interface says of it.
constexpr auto kWrappers = std::to_array<std::string_view>({"attributes", "_source", "properties"});

int RankAmong(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? kNoRank : static_cast<int>(found - names.begin());
}

// One place in all records.
struct Leaf {
  std::vector<const Value*> values{};
};
using Leaves = std::map<Steps, Leaf>;

void AddLeaves(const Value& value, const Steps& steps, std::size_t depth_max, Leaves& leaves) {
  const auto* members = value.AsObject();
  const bool goes_deeper = members != nullptr && steps.size() < depth_max && !ScalarIn(value);
  if (!goes_deeper) {
    if (!value.is_null()) leaves[steps].values.push_back(&value);
    return;
  }
  for (const auto& [name, member] : *members) {
    auto further = steps;
    further.push_back(name);
    AddLeaves(member, further, depth_max, leaves);
  }
}

Leaves LeavesOf(const RecordList& list, std::size_t depth_max) {
  Leaves leaves;
  for (const auto* record : list.records) AddLeaves(*record, {}, depth_max, leaves);
  return leaves;
}

// The texts of a leaf that is a scalar in every record.
std::optional<std::vector<std::string>> TextsOf(const Leaf& leaf, std::size_t records) {
  if (leaf.values.size() != records) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto* value : leaf.values) {
    auto text = ScalarIn(*value);
    if (!text || text->empty()) return std::nullopt;
    texts.push_back(*std::move(text));
  }
  return texts;
}

int IdRank(const Steps& steps) {
  if (steps.empty()) return 0;
  const auto name = PlainName(steps.back());
  auto rank = RankAmong(kIdNames, name);
  if (rank == kNoRank && name.ends_with("id")) rank = 100;
  if (rank == kNoRank && (name == "url" || name == "uri" || name == "href" || name == "link"))
    rank = 200;
  return rank + static_cast<int>(steps.size()) * 20;
}

FieldType TypeOf(const Leaf& leaf) {
  const auto all = [&](const auto& condition) {
    return std::ranges::all_of(leaf.values, [&](const Value* value) { return condition(*value); });
  };
  // One record shows too little.
  if (leaf.values.size() < 2) return FieldType::kAny;
  if (all([](const Value& value) { return value.AsBool() != nullptr; })) return FieldType::kBoolean;
  if (all([](const Value& value) { return value.AsInteger() != nullptr; }))
    return FieldType::kInteger;
  if (all([](const Value& value) {
        return value.AsInteger() != nullptr || value.AsDouble() != nullptr;
      }))
    return FieldType::kNumber;
  const auto is_text_that = [](const Value& value, const auto& condition) {
    const auto text = ScalarIn(value);
    return text && condition(*text);
  };
  if (all([&](const Value& value) { return is_text_that(value, IsDay); })) return FieldType::kDate;
  if (all([&](const Value& value) { return is_text_that(value, IsMoment); }))
    return FieldType::kInstant;
  return FieldType::kAny;
}

std::string FieldName(std::string_view name, std::set<std::string>& taken) {
  std::string plain;
  for (const char c : name.substr(name.starts_with('@') ? 1 : 0)) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !plain.empty() && plain.back() >= 'a' && plain.back() <= 'z') plain += '_';
    plain += IsLetter(c) || IsDigit(c) ? ToLower(c) : '_';
  }
  plain = plain.substr(0, 50);
  if (plain.empty()) plain = "field";
  auto own = plain;
  for (int i = 2; !taken.insert(own).second; ++i) own = fmt::format("{}_{}", plain, i);
  return own;
}

// The object within each record whose members are its fields.
Steps WrapperOf(const RecordList& list) {
  for (const auto wrapper : kWrappers) {
    const bool is_everywhere = std::ranges::all_of(list.records, [&](const Value* record) {
      const auto* member = record->Find(wrapper);
      return member != nullptr && member->AsObject() != nullptr;
    });
    if (is_everywhere) return {std::string(wrapper)};
  }
  return {};
}

}  // namespace

bool IsDay(const std::string& text) {
  const auto date = PartialDate::Parse(text);
  return date && date->day && date->Print() == text;
}

bool IsMoment(const std::string& text) { return ParseRfc3339(text).has_value(); }

std::optional<GuessedMember> GuessId(const RecordList& list) {
  std::optional<GuessedMember> best;
  int best_rank = kNoRank * 2;
  for (const auto& [steps, leaf] : LeavesOf(list, 2)) {
    const auto texts = TextsOf(leaf, list.records.size());
    if (!texts) continue;
    const std::set<std::string> different(texts->begin(), texts->end());
    const bool is_short = std::ranges::all_of(
        *texts, [](const std::string& text) { return text.size() <= kIdBytesUsual; });
    if (different.size() != texts->size() || !is_short) continue;
    const auto rank = IdRank(steps);
    if (rank >= best_rank) continue;
    best_rank = rank;
    best = GuessedMember{
        steps, fmt::format("it is different in all {} records of the answer", texts->size())};
  }
  return best;
}

std::optional<GuessedDate> GuessUpdated(const RecordList& list) {
  std::optional<GuessedDate> best;
  int best_rank = kNoRank;
  for (const auto& [steps, leaf] : LeavesOf(list, 2)) {
    const auto texts = TextsOf(leaf, list.records.size());
    if (!texts || steps.empty()) continue;
    const bool are_dates = std::ranges::all_of(
        *texts, [](const std::string& text) { return IsDay(text) || IsMoment(text); });
    if (!are_dates) continue;
    // {"indexed": {"date-time": …}} is named by what holds it.
    auto rank = kNoRank;
    for (const auto& step : steps) rank = std::min(rank, RankAmong(kUpdatedNames, PlainName(step)));
    const bool is_update = rank < kNoRank;
    if (!is_update) {
      for (const auto& step : steps)
        rank = std::min(rank, 100 + RankAmong(kOtherDateNames, PlainName(step)));
    }
    if (rank >= best_rank) continue;
    best_rank = rank;
    best = GuessedDate{steps,
                       is_update ? "a date in every record, and its name says so"
                                 : "a date in every record, but perhaps not that of a change",
                       is_update};
  }
  return best;
}

std::vector<GuessedField> GuessFields(const RecordList& list, bool is_xml) {
  const auto wrapper = WrapperOf(list);
  std::vector<GuessedField> fields;
  std::set<std::string> taken;
  for (const auto& [steps, leaf] : LeavesOf(list, wrapper.size() + 1)) {
    const bool is_inside = steps.size() > wrapper.size() &&
                           std::ranges::equal(wrapper, std::span(steps).first(wrapper.size()));
    const bool is_markup =
        is_inside && (steps.back() == "#text" || steps.back().starts_with("@xmlns"));
    if (!is_inside || is_markup || fields.size() >= kFieldsMost) continue;
    // Of XML, a list is an element that stands there several times; of JSON, it may be one value.
    const bool many = std::ranges::any_of(leaf.values, [&](const Value* value) {
      return value->AsArray() != nullptr && !value->AsArray()->empty() &&
             (is_xml || std::ranges::all_of(*value->AsArray(), [](const Value& item) {
                return ScalarIn(item).has_value();
              }));
    });
    fields.push_back({.name = FieldName(steps.back(), taken),
                      .steps = steps,
                      .type = many ? FieldType::kAny : TypeOf(leaf),
                      .many = many});
  }
  return fields;
}

}  // namespace patra::domain
