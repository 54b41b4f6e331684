#include "domain/guess/record_list.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/text_scanner.h"

namespace patra::domain {
namespace {

constexpr std::size_t kListDepthMax = 6;
constexpr std::size_t kLooseMax = 5'000;
constexpr std::size_t kCountedRecords = 100;

bool IsOneOf(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

constexpr auto kListNames = std::to_array<std::string_view>(
    {"items",  "results", "result",  "data",     "records",    "record",    "entries",  "entry",
     "docs",   "hits",    "works",   "list",     "rows",       "objects",   "elements", "content",
     "values", "value",   "studies", "articles", "collection", "resources", "documents"});
constexpr auto kNoRecordNames = std::to_array<std::string_view>(
    {"links", "link", "facets", "errors", "warnings", "aggregations", "filters", "sort", "meta",
     "messages", "groupby"});

// How much a list looks like one of records: objects rather than texts, many rather than few, and not deep down.
double ScoreOf(const Steps& steps, const std::vector<const Value*>& records) {
  const bool are_objects = std::ranges::all_of(
      records, [](const Value* record) { return record->AsObject() != nullptr; });
  const bool are_scalars = std::ranges::all_of(
      records, [](const Value* record) { return ScalarIn(*record).has_value(); });
  if (!are_objects && !are_scalars) return 0;
  double score = static_cast<double>(std::min(records.size(), kCountedRecords));
  if (are_objects) score *= 20;
  const auto name = steps.empty() ? std::string() : PlainName(steps.back());
  if (IsOneOf(kListNames, name)) score *= 8;
  if (IsOneOf(kNoRecordNames, name)) score /= 50;
  return score / static_cast<double>(1 + steps.size());
}

class ListSearch {
 public:
  explicit ListSearch(const ParsedAnswer& answer) : is_xml_(answer.is_xml) {
    Look(answer.content, {});
  }
  std::optional<RecordList> Take() && { return std::move(best_); }

 private:
  void Look(const Value& value, const Steps& steps) {
    if (const auto* items = value.AsArray()) {
      std::vector<const Value*> records;
      for (const auto& item : *items) records.push_back(&item);
      return Consider(steps, std::move(records));
    }
    const auto* members = value.AsObject();
    if (members == nullptr || steps.size() > kListDepthMax) return;
    // A page of XML with one record has no list.
    const bool may_be_record = is_xml_ && !steps.empty() &&
                               IsOneOf(kListNames, PlainName(steps.back())) &&
                               steps.back().back() != 's';
    if (may_be_record) Consider(steps, {&value});
    for (const auto& [name, member] : *members) {
      auto further = steps;
      further.push_back(name);
      Look(member, further);
    }
  }

  void Consider(const Steps& steps, std::vector<const Value*> records) {
    if (records.empty()) return;
    const auto score = ScoreOf(steps, records);
    if (score <= best_score_) return;
    best_score_ = score;
    best_ = RecordList{steps, std::move(records)};
  }

  const bool is_xml_;
  double best_score_ = 0;
  std::optional<RecordList> best_;
};

void AddLoose(const Value& value, const Steps& steps, std::vector<LooseValue>& found) {
  if (found.size() >= kLooseMax) return;
  if (!steps.empty() && ScalarIn(value)) found.push_back({steps, &value});
  const auto* members = value.AsObject();
  if (members == nullptr || steps.size() > kListDepthMax) return;
  for (const auto& [name, member] : *members) {
    if (name == "#text") continue;
    auto further = steps;
    further.push_back(name);
    AddLoose(member, further, found);
  }
}

bool IsPlainMember(std::string_view name) {
  return !name.empty() && !IsDigit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
}

std::string JsonPathOf(const Steps& steps) {
  std::string path = "$";
  for (const auto& step : steps) {
    if (IsPlainMember(step)) {
      path += "." + step;
      continue;
    }
    path += "['";
    for (const char c : step) {
      if (c == '\'' || c == '\\') path += '\\';
      path += c;
    }
    path += "']";
  }
  return path;
}

}  // namespace

std::optional<RecordList> FindRecordList(const ParsedAnswer& answer) {
  return ListSearch(answer).Take();
}

std::vector<LooseValue> LooseValues(const ParsedAnswer& answer) {
  std::vector<LooseValue> found;
  AddLoose(answer.content, {}, found);
  return found;
}

std::optional<std::string> ScalarIn(const Value& value) {
  if (const auto* text = value.AsString()) return *text;
  if (value.AsInteger() != nullptr || value.AsDouble() != nullptr) return PrintJson(value);
  const auto* text = value.Find("#text");
  const auto* members = value.AsObject();
  const bool is_leaf = members != nullptr && std::ranges::all_of(*members, [](const auto& member) {
                         return member.first == "#text" || member.first.starts_with('@');
                       });
  if (is_leaf && text != nullptr && text->AsString() != nullptr) return *text->AsString();
  return std::nullopt;
}

std::string PathFromRoot(const ParsedAnswer& answer, const Steps& steps) {
  if (!answer.is_xml) return JsonPathOf(steps);
  auto path = "/" + answer.root;
  for (const auto& step : steps) path += "/" + step;
  return path;
}

std::string PathInRecord(const ParsedAnswer& answer, const Steps& steps) {
  if (!answer.is_xml) return JsonPathOf(steps);
  std::string path;
  for (const auto& step : steps) path += (path.empty() ? "" : "/") + step;
  return path.empty() ? "." : path;
}

}  // namespace patra::domain
