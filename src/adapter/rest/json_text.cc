#include "adapter/rest/json_text.h"

#include <fmt/format.h>

#include "adapter/rest/steps.h"
#include "base/canonical_json.h"
#include "domain/word/step.h"

namespace patra::adapter::rest {
namespace {

void AppendText(const std::string& text, std::string& out, Marks marks) {
  const bool has_marks =
      marks == Marks::kReadable && text.find(domain::kStepOpens) != std::string::npos;
  AppendJsonString(has_marks ? Readable(text) : text, out);
}

}  // namespace

void AppendJson(const Value& value, std::string& out, Marks marks) {
  if (const auto* text = value.AsString()) return AppendText(*text, out, marks);
  if (const auto* number = value.AsInteger()) {
    fmt::format_to(std::back_inserter(out), "{}", *number);
  } else if (const auto* flag = value.AsBool()) {
    out += *flag ? "true" : "false";
  } else if (const auto* real = value.AsDouble()) {
    AppendJsonNumber(*real, out);
  } else if (const auto* list = value.AsArray()) {
    out += '[';
    for (const auto& entry : *list) {
      if (&entry != list->data()) out += ',';
      AppendJson(entry, out, marks);
    }
    out += ']';
  } else if (const auto* object = value.AsObject()) {
    out += '{';
    bool is_first = true;
    for (const auto& [name, member] : *object) {
      if (!is_first) out += ',';
      is_first = false;
      AppendJsonString(name, out);
      out += ':';
      AppendJson(member, out, marks);
    }
    out += '}';
  } else {
    out += "null";
  }
}

void AppendJson(const contract::Facts& facts, std::string& out, Marks marks) {
  out += '{';
  for (const auto& [name, value] : facts) {
    if (&name != &facts.front().name) out += ',';
    AppendJsonString(name, out);
    out += ':';
    AppendJson(value, out, marks);
  }
  out += '}';
}

std::string JsonOf(const Value& value, Marks marks) {
  std::string out;
  AppendJson(value, out, marks);
  return out;
}

}  // namespace patra::adapter::rest
