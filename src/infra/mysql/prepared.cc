#include "infra/mysql/prepared.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "infra/mysql/connection.h"
#include "infra/sql/slow_statements.h"

namespace patra::infra::mysql {
namespace {

constexpr std::size_t kExcerptBytes = 60;

enum_field_types ReadAs(const MYSQL_FIELD& field) {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
      return MYSQL_TYPE_LONGLONG;
    case MYSQL_TYPE_FLOAT:
    case MYSQL_TYPE_DOUBLE:
      return MYSQL_TYPE_DOUBLE;
    default:
      return MYSQL_TYPE_STRING;  // sums, too, which are decimal numbers
  }
}

}  // namespace

Result<std::unique_ptr<Prepared>> Prepared::Make(Connection& connection, std::string_view sql,
                                                 const Shape& shape) {
  auto localised = Localise(sql);
  const auto text = localised.For(shape);
  const auto places_expected = localised.PlacesFor(shape);
  auto* statement = mysql_stmt_init(connection.handle());
  if (statement == nullptr)
    return Fail(ErrorCode::kExhausted, "there is no memory for a statement");
  auto prepared =
      std::unique_ptr<Prepared>(new Prepared(connection, statement, sql, std::move(localised)));
  prepared->is_one_row_ = shape.rows == 1;
  if (mysql_stmt_prepare(statement, text.c_str(), text.size()) != 0)
    return prepared->Fails("preparing a statement");
  const auto places = mysql_stmt_param_count(statement);
  PATRA_ASSERT(places == places_expected);
  prepared->values_.resize(places);
  prepared->integers_.resize(places);
  const my_bool measures = 1;
  mysql_stmt_attr_set(statement, STMT_ATTR_UPDATE_MAX_LENGTH, &measures);
  prepared->ReadColumns();
  return prepared;
}

Prepared::Prepared(Connection& connection, MYSQL_STMT* statement, std::string_view sql,
                   Localised localised)
    : connection_(connection), statement_(statement), sql_(sql), localised_(std::move(localised)) {}

Prepared::~Prepared() { mysql_stmt_close(statement_); }

void Prepared::ReadColumns() {
  auto* metadata = mysql_stmt_result_metadata(statement_);
  if (metadata == nullptr) return;  // it yields nothing
  const auto count = mysql_num_fields(metadata);
  for (unsigned i = 0; i < count; ++i) {
    const auto* field = mysql_fetch_field_direct(metadata, i);
    names_.emplace_back(field->name, field->name_length);
    cells_.push_back({.type = ReadAs(*field)});
  }
  results_.resize(count);
  mysql_free_result(metadata);
}

Result<void> Prepared::Bind(std::span<const sql::Parameter> given) {
  const auto& names = localised_.names;
  std::size_t used = 0;
  for (const auto& name : names) {
    // Values are mostly given in the statement's order.
    const auto* found =
        used < given.size() && given[used].name == name
            ? &given[used]
            : std::to_address(std::ranges::find(given, name, &sql::Parameter::name));
    if (found == std::to_address(given.end())) return Mismatch("lacks the value of", name);
    ++used;
    BindNext(found->value);
  }
  for (const auto& parameter : given) {
    if (std::ranges::find(names, parameter.name) == names.end())
      return Mismatch("has no parameter", parameter.name);
    if (std::ranges::count(given, parameter.name, &sql::Parameter::name) > 1)
      return Mismatch("is given two values of", parameter.name);
  }
  return {};
}

void Prepared::BindNext(const sql::Bound& value) {
  auto& place = values_[bound_];
  auto& integer = integers_[bound_];
  ++bound_;
  place = MYSQL_BIND{};
  switch (value.kind()) {
    case sql::Bound::Kind::kNull:
      place.buffer_type = MYSQL_TYPE_NULL;
      break;
    case sql::Bound::Kind::kInteger:
      integer = value.integer();
      place.buffer_type = MYSQL_TYPE_LONGLONG;
      place.buffer = &integer;
      break;
    case sql::Bound::Kind::kText:
    case sql::Bound::Kind::kBytes:
      place.buffer_type =
          value.kind() == sql::Bound::Kind::kText ? MYSQL_TYPE_STRING : MYSQL_TYPE_BLOB;
      // The library reads from it only. Empty text is not absent, as a null pointer might be.
      place.buffer = const_cast<char*>(value.text().data() == nullptr ? "" : value.text().data());
      place.buffer_length = value.text().size();
      break;
  }
}

void Prepared::BindList(sql::ValueList list) {
  for (const auto& value : list) BindNext(value);
  while (bound_ < values_.size()) BindNext(std::nullopt);
}

Result<void> Prepared::Start() {
  PATRA_ASSERT(bound_ == values_.size());
  bound_ = 0;
  changed_ = 0;
  PATRA_TRY(connection_.CheckUsable());
  if (!values_.empty() && mysql_stmt_bind_param(statement_, values_.data()) != 0)
    return Fails("binding values");
  connection_.CountRoundTrip();
  const sql::StatementWatch watch(connection_.slow());
  const auto ran = Ask();
  watch.End(sql_);
  return ran;
}

Result<void> Prepared::Ask() {
  if (mysql_stmt_execute(statement_) != 0) {
    if (skips_duplicates() && is_one_row_ && IsDuplicate(mysql_stmt_errno(statement_))) return {};
    return Fails(names_.empty() ? "writing" : "reading");
  }
  if (!names_.empty()) return TakeAnswer();
  const auto affected = static_cast<std::int64_t>(mysql_stmt_affected_rows(statement_));
  changed_ = localised_.updates_duplicates ? std::min<std::int64_t>(affected, 1) : affected;
  return {};
}

Result<void> Prepared::TakeAnswer() {
  if (mysql_stmt_store_result(statement_) != 0) return Fails("reading");
  is_running_ = true;
  auto* metadata = mysql_stmt_result_metadata(statement_);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    auto& cell = cells_[i];
    auto& result = results_[i];
    result = MYSQL_BIND{};
    result.buffer_type = cell.type;
    result.length = &cell.size;
    result.is_null = &cell.is_null;
    if (cell.type == MYSQL_TYPE_LONGLONG) {
      result.buffer = &cell.integer;
    } else if (cell.type == MYSQL_TYPE_DOUBLE) {
      result.buffer = &cell.number;
    } else {
      const auto longest = mysql_fetch_field_direct(metadata, static_cast<unsigned>(i))->max_length;
      cell.text.resize(longest + 1);
      result.buffer = cell.text.data();
      result.buffer_length = cell.text.size();
    }
  }
  mysql_free_result(metadata);
  if (mysql_stmt_bind_result(statement_, results_.data()) != 0) return Fails("reading");
  return {};
}

Result<bool> Prepared::Next() {
  if (!is_running_) return false;
  const int code = mysql_stmt_fetch(statement_);
  if (code == 0) return true;
  if (code == MYSQL_NO_DATA) return false;
  return Fails("reading");
}

void Prepared::End() noexcept {
  bound_ = 0;
  if (!is_running_) return;
  is_running_ = false;
  mysql_stmt_free_result(statement_);
}

std::int64_t Prepared::Integer(int column) const {
  const auto& cell = cells_[At(column)];
  if (cell.is_null != 0) return 0;
  if (cell.type == MYSQL_TYPE_LONGLONG) return cell.integer;
  if (cell.type == MYSQL_TYPE_DOUBLE) return static_cast<std::int64_t>(cell.number);
  std::int64_t integer = 0;
  std::from_chars(cell.text.data(), cell.text.data() + cell.size, integer);
  return integer;
}

double Prepared::Number(int column) const {
  const auto& cell = cells_[At(column)];
  if (cell.is_null != 0) return 0;
  if (cell.type == MYSQL_TYPE_LONGLONG) return static_cast<double>(cell.integer);
  if (cell.type == MYSQL_TYPE_DOUBLE) return cell.number;
  double number = 0;
  std::from_chars(cell.text.data(), cell.text.data() + cell.size, number);
  return number;
}

std::string_view Prepared::View(int column) const {
  const auto& cell = cells_[At(column)];
  PATRA_ASSERT(cell.is_null != 0 ||
               cell.type == MYSQL_TYPE_STRING);  // text is not read off numbers
  return cell.is_null != 0 ? std::string_view() : std::string_view(cell.text).substr(0, cell.size);
}

std::unexpected<Error> Prepared::Fails(std::string_view doing) {
  return connection_.Fails(mysql_stmt_errno(statement_), mysql_stmt_error(statement_), doing);
}

std::unexpected<Error> Prepared::Mismatch(std::string_view how, std::string_view name) const {
  const auto begin = std::min(sql_.find_first_not_of(" \n"), sql_.size());
  return Fail(ErrorCode::kInternal, fmt::format("the statement '{}…' {} ':{}'",
                                                sql_.substr(begin, kExcerptBytes), how, name));
}

}  // namespace patra::infra::mysql
