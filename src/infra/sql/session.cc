#include "infra/sql/session.h"

#include <algorithm>

namespace patra::infra::sql {

std::string WithList(std::string_view sql) {
  std::string text(sql);
  text += " (?";
  for (std::size_t i = 1; i < kListMax; ++i) text += ",?";
  return text += ')';
}

int Rows::At(std::string_view column) const {
  const int count = statement_->columns();
  if (column == kOnly) {
    PATRA_ASSERT(count == 1);
    return 0;
  }
  for (int tried = 0; tried < count; ++tried) {
    const int at = (next_ + tried) % count;
    if (statement_->ColumnName(at) != column) continue;
    next_ = at + 1;
    return at;
  }
  PATRA_ASSERT(false);  // no such column
  return 0;
}

Sha256Digest Rows::Digest(std::string_view column) const {
  Sha256Digest digest{};
  const auto bytes = View(column);
  if (bytes.size() == digest.size()) std::ranges::copy(bytes, digest.begin());
  return digest;
}

// Looking for the column once more would go through all of them.
std::optional<std::int64_t> Rows::OptionalInteger(std::string_view column) const {
  const int at = At(column);
  return statement_->IsNull(at) ? std::nullopt : std::optional(statement_->Integer(at));
}

std::optional<std::string> Rows::OptionalText(std::string_view column) const {
  const int at = At(column);
  return statement_->IsNull(at) ? std::nullopt : std::optional(std::string(statement_->View(at)));
}

std::optional<Instant> Rows::OptionalTime(std::string_view column) const {
  const auto micros = OptionalInteger(column);
  return micros ? std::optional(Instant(Duration(*micros))) : std::nullopt;
}

Result<std::int64_t> Session::Run(std::string_view sql, Parameters parameters) {
  auto* statement = PATRA_TRY(Prepare(sql, parameters, std::nullopt, Lifetime::kOfCall));
  const Rows rows(*statement);  // ends it
  while (true) {
    if (!PATRA_TRY(statement->Next())) return statement->changed();
  }
}

Result<void> Session::RunEach(std::string_view sql, std::size_t rows, const RowOf& row) {
  for (std::size_t i = 0; i < rows; ++i) {
    PATRA_TRY(row(i, [&](Parameters parameters) -> Result<void> {
      PATRA_TRY(Run(sql, parameters));
      return {};
    }));
  }
  return {};
}

Result<Rows> Session::Query(std::string_view sql, Parameters parameters) {
  return Rows(*PATRA_TRY(Prepare(sql, parameters, std::nullopt, Lifetime::kOfRows)));
}

Result<void> Session::QueryEach(std::string_view sql, std::size_t rows, const RowOf& row,
                                const Answer& answer) {
  for (std::size_t i = 0; i < rows; ++i) {
    PATRA_TRY(row(i, [&](Parameters parameters) -> Result<void> {
      auto found = PATRA_TRY(Query(sql, parameters));
      while (PATRA_TRY(found.Next())) PATRA_TRY(answer(found));
      return {};
    }));
  }
  return {};
}

Result<void> Session::InPieces(ValueList list,
                               const std::function<Result<void>(ValueList)>& each) const {
  for (std::size_t first = 0; first < list.size(); first += list_max())
    PATRA_TRY(each(list.subspan(first, std::min(list_max(), list.size() - first))));
  return {};
}

Result<void> Session::QueryIn(std::string_view sql, ValueList list, Parameters parameters,
                              const Answer& answer) {
  return InPieces(list, [&](ValueList piece) -> Result<void> {
    Rows rows(*PATRA_TRY(Prepare(sql, parameters, piece, Lifetime::kOfCall)));
    while (PATRA_TRY(rows.Next())) PATRA_TRY(answer(rows));
    return {};
  });
}

Result<std::int64_t> Session::RunIn(std::string_view sql, ValueList list, Parameters parameters) {
  std::int64_t changed = 0;
  PATRA_TRY(InPieces(list, [&](ValueList piece) -> Result<void> {
    auto* statement = PATRA_TRY(Prepare(sql, parameters, piece, Lifetime::kOfCall));
    const Rows rows(*statement);  // ends it
    while (PATRA_TRY(statement->Next())) {
    }
    changed += statement->changed();
    return {};
  }));
  return changed;
}

Result<std::int64_t> Session::Integer(std::string_view sql, Parameters parameters) {
  auto rows = PATRA_TRY(Query(sql, parameters));
  if (!PATRA_TRY(rows.Next())) return Fail(ErrorCode::kNotFound, "the query has no row");
  return rows.Integer(kOnly);
}

}  // namespace patra::infra::sql
