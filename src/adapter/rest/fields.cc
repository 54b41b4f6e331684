#include "adapter/rest/fields.h"

namespace patra::adapter::rest {

const Value* Fields::Find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() || found->second.is_null() ? nullptr : &found->second;
}

std::optional<std::string> Fields::TextIfAny(std::string_view name) const {
  const auto* value = Find(name);
  const auto* text = value == nullptr ? nullptr : value->AsString();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::string Fields::Text(std::string_view name) const { return TextIfAny(name).value_or(""); }

std::optional<std::int64_t> Fields::IntegerIfAny(std::string_view name) const {
  const auto* value = Find(name);
  const auto* number = value == nullptr ? nullptr : value->AsInteger();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

int Fields::Number(std::string_view name) const {
  return static_cast<int>(IntegerIfAny(name).value_or(0));
}

bool Fields::Flag(std::string_view name) const {
  const auto* value = Find(name);
  const auto* flag = value == nullptr ? nullptr : value->AsBool();
  return flag != nullptr && *flag;
}

Id Fields::IdOf(std::string_view name) const { return ParseId(Text(name)).value_or(0); }

std::vector<std::string> Fields::Texts(std::string_view name) const {
  std::vector<std::string> texts;
  const auto* value = Find(name);
  const auto* list = value == nullptr ? nullptr : value->AsArray();
  if (list == nullptr) return texts;
  for (const auto& entry : *list) {
    if (const auto* text = entry.AsString()) texts.push_back(*text);
  }
  return texts;
}

}  // namespace patra::adapter::rest
