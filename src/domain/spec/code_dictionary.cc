#include "domain/spec/code_dictionary.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {
namespace {

std::string Upper(std::string_view code) { return InCase(std::string(code), TextCase::kUpper); }

}  // namespace

void CodeDictionary::AddItem(const std::string& type, const std::string& code, bool is_enabled) {
  auto& of = types_[type];
  of.items[code] = is_enabled;
  if (is_enabled) of.enabled.push_back(code);
}

void CodeDictionary::AddAlias(const std::string& type, const std::string& external,
                              const std::string& code) {
  const auto [alias, is_new] = types_[type].aliases.try_emplace(Upper(external), code);
  if (!is_new && alias->second != code) alias->second.clear();
}

std::optional<std::string> CodeDictionary::ItemOf(const std::string& type,
                                                  std::string_view code) const {
  const auto found = types_.find(type);
  if (found == types_.end()) return std::nullopt;
  auto wanted = Upper(code);
  if (found->second.items.contains(wanted)) return wanted;
  const auto alias = found->second.aliases.find(wanted);
  if (alias == found->second.aliases.end() || alias->second.empty()) return std::nullopt;
  return alias->second;
}

Result<void> CodeDictionary::Check(const std::string& type, std::string_view code) const {
  const auto wanted = Upper(code);
  const auto& enabled = EnabledOf(type);
  if (std::ranges::find(enabled, wanted) != enabled.end()) return {};
  const bool is_disabled = ItemOf(type, code) == wanted;
  return Fail(ErrorCode::kInvalidInput,
              is_disabled ? fmt::format("{} '{}' is disabled in the dictionary", type, wanted)
                          : fmt::format("the dictionary has no {} '{}'", type, wanted),
              {},
              enabled.empty() ? fmt::format("it has no codes of the type {} at all", type)
                              : fmt::format("there are {}", fmt::join(enabled, ", ")));
}

std::vector<CodeDictionary::Item> CodeDictionary::Items() const {
  std::vector<Item> items;
  for (const auto& named : types_) {
    const auto& name = named.first;
    const auto& type = named.second;
    const auto add = [&](const std::string& code, bool is_enabled) {
      auto& item = items.emplace_back(Item{.type = name, .code = code, .is_enabled = is_enabled});
      for (const auto& [alias, of] : type.aliases) {
        if (of == code) item.aliases.push_back(alias);
      }
    };
    for (const auto& code : type.enabled) add(code, true);
    for (const auto& [code, is_enabled] : type.items) {
      if (!is_enabled) add(code, false);
    }
  }
  return items;
}

const std::vector<std::string>& CodeDictionary::EnabledOf(const std::string& type) const {
  static const std::vector<std::string> kNone;
  const auto found = types_.find(type);
  return found == types_.end() ? kNone : found->second.enabled;
}

}  // namespace patra::domain
