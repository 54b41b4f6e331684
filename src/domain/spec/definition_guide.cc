#include "domain/spec/definition_guide.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/date_pattern.h"
#include "base/result.h"
#include "base/template_expression.h"
#include "domain/spec/definition_examples.h"
#include "domain/spec/shape.h"
#include "domain/spec/template_names.h"

namespace patra::domain {
namespace {

struct Explained {
  std::string_view name;
  std::string_view meaning;
};

constexpr auto kFunctionMeanings = std::to_array<Explained>(
    {{"base64", "the text in base64"},
     {"coalesce", "the first that is not null"},
     {"concat", "the texts behind each other"},
     {"default", "the value, or the other where it is null"},
     {"epochMillis", "milliseconds since 1970"},
     {"epochSeconds", "seconds since 1970"},
     {"eq", "whether both are the same"},
     {"first", "its first item"},
     {"floorTo",
      "the start of its second, minute, hour, day, week, month or year, or of a duration"},
     {"formatDateTime", "written by a date pattern, in UTC or the zone"},
     {"if", "one of two values"},
     {"join", "the items as one text"},
     {"jsonPath", "what RFC 9535 selects in it"},
     {"last", "its last item"},
     {"length", "characters, items or members"},
     {"lower", "in small letters (ASCII)"},
     {"minus", "of numbers, or a duration before a moment"},
     {"now", "the end of the window, so that requests can be repeated"},
     {"padLeft", "filled up from the left, with blanks or `fill`"},
     {"parseDateTime", "the moment that a text means"},
     {"plus", "of numbers, or a duration after a moment"},
     {"replace", "every `from` as `to`"},
     {"sha256", "in hex digits"},
     {"split", "the parts of a text, as a list"},
     {"startOfDay", "midnight before it, in UTC or the zone"},
     {"substring", "in characters; negative places count from the end"},
     {"times", "of numbers"},
     {"toJson", "the value as JSON"},
     {"toNumber", "the number that a text writes"},
     {"trim", "without blanks at its ends"},
     {"upper", "in capitals (ASCII)"},
     {"urlEncode", "percent-encoded; parameters are that anyway"}});

constexpr auto kDatePatterns = std::to_array<Explained>(
    {{"iso_instant", "RFC 3339; any offset when read"},
     {"iso_seconds", "without a zone; read with and without fraction and zone"},
     {"iso_date", "a day"},
     {"epoch_s", "seconds since 1970; read with and without a fraction"},
     {"epoch_ms", "milliseconds since 1970"},
     {"rfc1123", "as in headers; all forms of HTTP when read"},
     {"yyyyMMdd", "letters stand for fields, as in Java"},
     {"dd.MM.yyyy HH:mm", "text between them stands for itself"},
     {"d MMM yyyy", "English names of months"},
     {"yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "letters that are text have quotes; XXX is the offset"}});

constexpr auto kActions = std::to_array<Explained>(
    {{"retry", "it passes: tried again, slower"},
     {"wait", "we are too fast: nothing is sent before `until`"},
     {"fail", "the request is wrong: trying again changes nothing"},
     {"quarantine", "the answer is put aside with its bytes, and the walk goes on"},
     {"stop", "a person must act: the source stops"},
     {"empty", "there is nothing, and that is all it says"},
     {"end", "the list is over"},
     {"restart_slice", "the place in the list is lost: its slice begins anew"},
     {"page", "it is a page, whatever else it says beside its records"}});

std::string_view KindName(const Shape& shape) {
  switch (shape.scalar) {
    case ScalarKind::kText:
      return "text";
    case ScalarKind::kName:
      return "name: a-z, 0-9, _ and -";
    case ScalarKind::kInteger:
      return "whole number";
    case ScalarKind::kNumber:
      return "number";
    case ScalarKind::kPart:
      return "part: 5% or 0.05";
    case ScalarKind::kFlag:
      return "true or false";
    case ScalarKind::kDuration:
      return "duration: 200ms, 90s, 10m, 2h, 1d";
    case ScalarKind::kWidths:
      return "1d, 1m..1d (least, most) or 1m..6h..1d (least, first, most)";
    case ScalarKind::kMoment:
      return "moment: 2026-01-31, 2026-01-31T12:00:00Z";
    case ScalarKind::kRate:
      return "rate: 3/s, 500/m, 8000/d, 1/3s";
    case ScalarKind::kStatus:
      return "status: 404, 5xx, 500-504";
    case ScalarKind::kTemplate:
      return "template";
    case ScalarKind::kPath:
      return "path: JSONPath (RFC 9535), of XML XPath 1.0";
    case ScalarKind::kUrl:
      return "URL";
    case ScalarKind::kReference:
      return "reference: ${env:NAME} or ${file:PATH}";
    case ScalarKind::kReferenceOrText:
      return "text or reference";
    case ScalarKind::kPattern:
      return "regular expression (RFC 9485)";
    case ScalarKind::kDatePattern:
      return "date pattern";
    case ScalarKind::kTimezone:
      return "time zone: UTC, Europe/Berlin";
    case ScalarKind::kCode:
      return "";
  }
  return "";
}

std::string TypeOf(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::kScalar:
      if (shape.scalar == ScalarKind::kCode)
        return fmt::format("`{}`", fmt::join(shape.codes, "`, `"));
      return std::string(KindName(shape));
    case Shape::Kind::kMap:
      return shape.short_form.empty() ? "keys"
                                      : fmt::format("keys, or `{}` alone", shape.short_form);
    case Shape::Kind::kEntries:
      return fmt::format("names, each with {}", TypeOf(*shape.of));
    case Shape::Kind::kList:
      return fmt::format("{} {}", shape.one_or_many ? "one or a list of" : "list of",
                         TypeOf(*shape.of));
    case Shape::Kind::kTree:
      return "any value; its texts are templates";
  }
  return "";
}

std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

const Shape& InEach(const Shape& shape) {
  const bool has_each = shape.kind == Shape::Kind::kList || shape.kind == Shape::Kind::kEntries;
  return has_each ? *shape.of : shape;
}

// A part that several places share, with keys of its own.
bool HasTable(const Shape& shape) {
  return !shape.name.empty() && InEach(shape).kind == Shape::Kind::kMap;
}

class KeyTables {
 public:
  explicit KeyTables(std::string& out) : out_(out) {}

  // One table of all keys of a map, those of the maps below it with their way; parts with a name have tables of their own.
  void Add(std::string_view title, std::string_view about, const Shape& shape) {
    out_ += fmt::format("\n### {}\n\n{}{}| key | is | default | meaning |\n|---|---|---|---|\n",
                        title, about, about.empty() ? "" : "\n\n");
    AddRows(shape, "");
  }

 private:
  void AddRows(const Shape& shape, const std::string& way) {
    for (const auto& key : shape.keys) {
      const auto name = way + key.name;
      const bool is_work = key.name == "operations";
      const bool is_apart = is_work || HasTable(key.shape);
      const auto is = is_work ? std::string("`harvest`, `backfill`, `update`, each with these keys")
                      : is_apart ? std::string("see below")
                                 : TypeOf(key.shape);
      const auto usual =
          key.platform_default.empty() ? std::string() : fmt::format("`{}`", key.platform_default);
      out_ += fmt::format("| `{}` | {} | {} | {}{} |\n", name, Cell(is), Cell(usual), Cell(key.doc),
                          key.required ? " (has to be there)" : "");
      if (is_apart) continue;
      if (key.shape.kind == Shape::Kind::kMap) AddRows(key.shape, name + ".");
      const auto& of = key.shape.of;
      if (of != nullptr && of->kind == Shape::Kind::kMap && of->name.empty())
        AddRows(*of, name + "[].");
    }
  }

  std::string& out_;
};

void AddKeys(std::string& out) {
  KeyTables tables(out);
  out +=
      "\n## Every key\n\nA source and its endpoints share most keys; an endpoint's word is the "
      "stronger one, and `operations: {harvest: …, "
      "backfill: …, update: …}` of either says what differs for one kind of work. `~` unsets what "
      "a weaker level says.\n";
  tables.Add("A source", "", SourceShape());
  std::vector<Key> own;
  std::vector<Key> blocks;
  for (const auto& key : EndpointShape().keys) {
    const bool is_block = HasTable(key.shape);
    const bool is_shared = std::ranges::any_of(SourceShape().keys, [&](const Key& other) {
      return other.name == key.name && key.name != "operations";
    });
    if (is_block) blocks.push_back(key);
    if (!is_shared) own.push_back(key);
  }
  tables.Add("An endpoint", "Beside what a source may say, `endpoints.NAME` has:",
             Shape{.kind = Shape::Kind::kMap, .keys = std::move(own)});
  for (const auto& block : blocks)
    tables.Add(fmt::format("`{}`", block.name), fmt::format("{}.", block.doc), InEach(block.shape));
}

void AddExample(const DefinitionExample& example, std::string_view level, std::string& out) {
  out += fmt::format("\n{} {}\n\n{}\n\n```yaml\n{}```\n", level, example.title, example.about,
                     example.yaml);
}

void AddTemplates(std::string& out) {
  out +=
      "\n## Templates\n\nTexts of a request have placeholders, `${name}` or `${name | "
      "function(…)}`; `$${` is a plain `${`. A parameter whose "
      "placeholder has no value is left out. A placeholder that stands alone keeps its type in a "
      "JSON body.\n\n| name | meaning "
      "|\n|---|---|\n";
  for (const auto& name : AllTemplateNames())
    out += fmt::format("| `${{{}}}` | {} |\n", name.path, Cell(name.meaning));
  out +=
      "\nMoments are RFC 3339 texts. A pipe hands its left side to the function as first argument; "
      "texts stand in quotes.\n\n| "
      "function | gives |\n|---|---|\n";
  for (const auto& function : expression::Functions()) {
    const auto found = std::ranges::find(kFunctionMeanings, function.name, &Explained::name);
    PATRA_ASSERT(found != kFunctionMeanings.end());
    out += fmt::format("| `{}` | {} |\n", function.Signature(), Cell(found->meaning));
  }
}

void AddDates(std::string& out) {
  out +=
      "\n## Dates\n\n`format` of a date and the pattern of `formatDateTime` and `parseDateTime` "
      "are a name or a pattern. Without a "
      "`format`, ISO 8601 of any length is read.\n\n| pattern | writes | |\n|---|---|---|\n";
  const Instant moment =
      std::chrono::sys_days{std::chrono::year{2026} / 3 / 29} + std::chrono::hours(1);
  for (const auto& [pattern, meaning] : kDatePatterns) {
    const auto compiled = DatePattern::Compile(pattern);
    PATRA_ASSERT(compiled.has_value());
    out += fmt::format("| `{}` | {} | {} |\n", pattern, compiled->Format(moment), meaning);
  }
}

void AddErrors(std::string& out) {
  out +=
      "\n## Answers that are no pages\n\n`errors` is a list of rules, of which the first that "
      "matches decides; all conditions of a rule "
      "have to hold. Where none matches, the status does: 408, 425, 429 and 5xx pass, 401 stops "
      "the source, other 4xx are wrong "
      "requests.\n\n| `then` | means |\n|---|---|\n";
  for (const auto& code : LowerCodes<ErrorAction>()) {
    const auto found = std::ranges::find(kActions, code, &Explained::name);
    PATRA_ASSERT(found != kActions.end());
    out += fmt::format("| `{}` | {} |\n", code, found->meaning);
  }
}

}  // namespace

std::string DefinitionGuide() {
  std::string out =
      "<!-- Made of the grammar and of examples that are tried; docs/changing.md says how it is "
      "written anew. -->\n"
      "# Definitions\n\nA definition is a YAML file that says how a provider is asked and what its "
      "answers mean. This is all that "
      "it can say. [Sources](sources.md) tells what is done with it.\n\n## From ten lines "
      "on\n\nThe examples ask the provider "
      "simulator that comes with the project. For a provider of your own, change address, paths "
      "and names.\n";
  for (const auto& example : FirstDefinitions()) AddExample(example, "###", out);
  out += "\n## Paging\n";
  for (const auto& example : PagingDefinitions()) AddExample(example, "###", out);
  AddTemplates(out);
  AddDates(out);
  AddErrors(out);
  AddKeys(out);
  return out;
}

}  // namespace patra::domain
