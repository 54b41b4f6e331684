// The statements of infra/sql, in the words of MySQL and MariaDB.
//
// They are written for SQLite's dialect, as far as the two differ only in words. What differs in more than words stands side
// by side in the table's own file (sql::PerDialect).
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace patra::infra::mysql {

// How much a statement takes at once.
struct Shape {
  std::size_t rows = 1;
  std::size_t list = 0;

  auto operator<=>(const Shape&) const = default;
};

struct Localised {
  std::string text;
  std::vector<std::string> names;  // of each `?` in its order, without those of a list
  // `ON CONFLICT … DO NOTHING`: a row that is there already is no error and changes nothing. MySQL has no words for that
  // which would not hide other errors as well.
  bool skips_duplicates = false;
  bool updates_duplicates = false;  // then one row counts as two where it was there
  // Where the values of the one row of an INSERT stand, with their parentheses; zero and zero for other statements.
  std::size_t row_begin = 0;
  std::size_t row_end = 0;
  // Where the list of values begins that a statement ends with, with its parenthesis; zero where there is none.
  std::size_t list_begin = 0;

  // The same INSERT for several rows of values, or the same query with each of them, and as long a list.
  std::string For(const Shape& shape) const;
  std::size_t PlacesFor(const Shape& shape) const;
};

Localised Localise(std::string_view sql);

}  // namespace patra::infra::mysql
