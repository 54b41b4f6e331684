#include "sim/json_members.h"

#include <algorithm>

namespace patra::sim {
namespace {

std::size_t EndOfJsonString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

std::size_t EndOfJsonValue(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfJsonString(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
    if (depth == 0 && (c == '}' || c == ']')) return at;
  }
  return text.size();
}

void KeepMembers(std::string& text, std::size_t start, const std::vector<std::string>& names) {
  std::string kept = "{";
  std::size_t at = start + 1;
  while (at < text.size() && text[at] == '"') {
    const auto name_end = EndOfJsonString(text, at);
    const auto value_end = EndOfJsonValue(text, name_end + 1);
    const auto name = std::string_view(text).substr(at + 1, name_end - at - 2);
    if (std::ranges::find(names, name) != names.end()) {
      if (kept.size() > 1) kept += ',';
      kept.append(text, at, value_end - at);
    }
    at = value_end + 1;
  }
  text.replace(start, std::string::npos, kept + "}");
}

}  // namespace patra::sim
