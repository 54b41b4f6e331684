// A prepared statement on the server, with what it yields. The whole answer is taken at once, so that other statements of the
// session may run while it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mysql.h>

#include "infra/mysql/localise.h"
#include "infra/sql/session.h"

namespace patra::infra::mysql {

class Connection;

class Prepared final : public sql::Statement {
 public:
  static Result<std::unique_ptr<Prepared>> Make(Connection& connection, std::string_view sql,
                                                const Shape& shape);
  ~Prepared() override;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::string_view sql() const { return sql_; }
  bool is_running() const { return is_running_; }

  bool skips_duplicates() const { return localised_.skips_duplicates; }

  // Of one row; further rows follow with further calls. Every parameter gets its value, and there is no value without one.
  Result<void> Bind(std::span<const sql::Parameter> given);
  // Places that are left over are equal to nothing.
  void BindList(sql::ValueList list);
  Result<void> Start();

  Result<bool> Next() override;
  void End() noexcept override;
  std::int64_t changed() override { return changed_; }

  int columns() const override { return static_cast<int>(names_.size()); }
  std::string_view ColumnName(int column) const override { return names_[At(column)]; }
  bool IsNull(int column) const override { return cells_[At(column)].is_null != 0; }
  std::int64_t Integer(int column) const override;
  double Number(int column) const override;
  std::string_view View(int column) const override;

 private:
  struct Cell {
    std::string text;  // room for the longest value of the column
    std::int64_t integer = 0;
    double number = 0;
    unsigned long size = 0;
    my_bool is_null = 0;
    enum_field_types type = MYSQL_TYPE_STRING;
  };

  Prepared(Connection& connection, MYSQL_STMT* statement, std::string_view sql,
           Localised localised);
  static std::size_t At(int column) { return static_cast<std::size_t>(column); }

  void ReadColumns();
  Result<void> Ask();
  Result<void> TakeAnswer();
  void BindNext(const sql::Bound& value);
  std::unexpected<Error> Fails(std::string_view doing);
  std::unexpected<Error> Mismatch(std::string_view how, std::string_view name) const;

  Connection& connection_;
  MYSQL_STMT* statement_;
  const std::string sql_;
  const Localised localised_;
  std::vector<MYSQL_BIND> values_;
  std::vector<std::int64_t> integers_;  // what values_ point to
  std::size_t bound_ = 0;               // how many of values_ are
  std::vector<std::string> names_;
  std::vector<Cell> cells_;
  std::vector<MYSQL_BIND> results_;
  std::int64_t changed_ = 0;
  bool is_running_ = false;
  bool is_one_row_ = true;
};

}  // namespace patra::infra::mysql
