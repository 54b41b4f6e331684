// The dictionary of codes as a store has it: what may be said of each type, and what others call it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace patra::domain {

class CodeDictionary {
 public:
  void AddItem(const std::string& type, const std::string& code, bool is_enabled);
  // Another system's word for an item. One that two systems mean different items by stands for none.
  void AddAlias(const std::string& type, const std::string& external, const std::string& code);

  // The item that the code is or stands for, in any case of letters; nothing where there is none.
  std::optional<std::string> ItemOf(const std::string& type, std::string_view code) const;

  // Fails with type, code and what there is, unless the code is an enabled item.
  Result<void> Check(const std::string& type, std::string_view code) const;

  const std::vector<std::string>& EnabledOf(const std::string& type) const;

  // All of it, for who tells others; a word that stands for none is left out.
  struct Item {
    std::string type;
    std::string code;
    bool is_enabled = true;
    std::vector<std::string> aliases{};
  };
  std::vector<Item> Items() const;

 private:
  struct Type {
    std::map<std::string, bool> items{};           // whether each may be used
    std::vector<std::string> enabled{};            // in their order
    std::map<std::string, std::string> aliases{};  // in upper case; empty: of several items
  };

  std::map<std::string, Type> types_;
};

}  // namespace patra::domain
