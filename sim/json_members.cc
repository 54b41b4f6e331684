#include "sim/json_members.h"

#include <algorithm>

#include "base/json_text.h"

namespace patra::sim {

std::optional<JsonMember> FindMember(std::string_view text, std::size_t start,
                                     std::string_view path) {
  const auto slash = path.find('/');
  const auto name = path.substr(0, slash);
  const auto object = CutJson(text, start);
  if (!object) return std::nullopt;
  for (const auto& piece : object->pieces) {
    if (piece.name != name) continue;
    if (slash != std::string_view::npos)
      return FindMember(text, piece.begin, path.substr(slash + 1));
    // Our own records have no blanks and no escapes in names.
    return JsonMember{piece.begin - name.size() - 3, piece.begin, piece.end};
  }
  return std::nullopt;
}

void KeepMembers(std::string& text, std::size_t start, const std::vector<std::string>& names) {
  std::string kept;
  for (const auto& name : names) {
    const auto member = FindMember(text, start, name);
    if (!member) continue;
    kept += kept.empty() ? '{' : ',';
    kept.append(text, member->begin, member->end - member->begin);
  }
  text.replace(start, std::string::npos, kept.empty() ? "{}" : kept + "}");
}

}  // namespace patra::sim
