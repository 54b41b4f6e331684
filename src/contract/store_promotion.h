// What came of moving a store into another database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace patra::contract {

struct PromotedTable {
  std::string name;
  std::int64_t rows = 0;   // in the source
  std::string hash;        // over all rows of the source in the order of their keys, in hex
  std::int64_t found = 0;  // rows in the target
  std::string found_hash;
  // "id=7: other content", the first of them.
  std::vector<std::string> differences{};
  std::int64_t differing = 0;  // how many there are

  bool is_same() const { return rows == found && hash == found_hash; }
};

struct StorePromotion {
  std::string source;
  std::string target;
  bool was_done_before = false;         // by an earlier command; nothing was looked at again
  std::vector<PromotedTable> tables{};  // by name
  std::vector<std::string>
      not_ours{};  // tables and views of the source that patra did not make: they stay there

  bool is_done() const {
    for (const auto& table : tables) {
      if (!table.is_same()) return false;
    }
    return true;
  }
};

}  // namespace patra::contract
