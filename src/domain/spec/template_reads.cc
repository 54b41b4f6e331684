#include "domain/spec/template_reads.h"

#include <algorithm>

#include "base/template.h"

namespace patra::domain {
namespace {

void AddTexts(const NamedTexts& named, std::vector<std::string>& texts) {
  for (const auto& [name, text] : named) texts.push_back(text);
}

void AddTexts(const Value& value, std::vector<std::string>& texts) {
  if (const auto* text = value.AsString()) texts.push_back(*text);
  if (const auto* list = value.AsArray()) {
    for (const auto& item : *list) AddTexts(item, texts);
  }
  if (const auto* object = value.AsObject()) {
    for (const auto& [name, member] : *object) AddTexts(member, texts);
  }
}

}  // namespace

std::vector<std::string> TextsIn(const Value& value) {
  std::vector<std::string> texts;
  AddTexts(value, texts);
  return texts;
}

std::vector<std::string> TemplatesOf(const HttpSpec& http) {
  std::vector<std::string> texts{http.path};
  AddTexts(http.query, texts);
  if (http.next_query) AddTexts(*http.next_query, texts);
  AddTexts(http.headers, texts);
  AddTexts(http.form_body, texts);
  AddTexts(http.json_body, texts);
  return texts;
}

bool Reads(const std::string& text, std::string_view path) {
  const auto compiled = Template::Compile(text);
  if (!compiled) return false;
  return std::ranges::any_of(compiled->paths(), [&](const std::string& read) {
    return read == path || (path.starts_with(read) && path.substr(read.size()).starts_with('.'));
  });
}

bool Reads(const HttpSpec& http, std::string_view path) {
  return std::ranges::any_of(TemplatesOf(http),
                             [&](const std::string& text) { return Reads(text, path); });
}

bool Reads(const SpecSnapshot& spec, std::string_view path) {
  return Reads(spec.http, path) || (spec.details && Reads(spec.details->http, path));
}

}  // namespace patra::domain
