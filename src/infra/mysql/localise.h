// The statements of infra/sql, in the words of MySQL and MariaDB.
//
// They are written for SQLite's dialect, as far as the two differ only in words. What differs in more than words stands side
// by side in the table's own file (sql::PerDialect).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace patra::infra::mysql {

struct Localised {
  std::string text;
  std::vector<std::string> names;  // of each `?` in its order; a place in a list has none
  // `ON CONFLICT … DO NOTHING`: a row that is there already is no error and changes nothing. MySQL has no words for that
  // which would not hide other errors as well.
  bool skips_duplicates = false;
  bool updates_duplicates = false;  // then one row counts as two where it was there
  // Where the values of the one row of an INSERT stand, with their parentheses; zero and zero for other statements.
  std::size_t row_begin = 0;
  std::size_t row_end = 0;

  // The same INSERT for several rows.
  std::string ForRows(std::size_t rows) const;
};

Localised Localise(std::string_view sql);

}  // namespace patra::infra::mysql
