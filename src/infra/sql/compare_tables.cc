#include "infra/sql/compare_tables.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace patra::infra::sql {
namespace {

constexpr std::size_t kDifferencesTold = 5;

// All rows of a table, one after the other, of which a bounded part is held.
class RowsInOrder {
 public:
  RowsInOrder(const TablePlace& place, const RowsBound& bound, std::vector<StoredKind> kinds)
      : place_(place), bound_(bound), kinds_(std::move(kinds)) {}

  // False after the last one.
  Result<bool> Next() {
    if (++at_ < rows_.size() || PATRA_TRY(ReadMore())) {
      text_.clear();
      for (std::size_t i = 0; i < kinds_.size(); ++i) AppendValue(text_, kinds_[i], row()[i]);
      hash_.Append(text_);
      ++count_;
      return true;
    }
    return false;
  }
  const StoredRow& row() const { return rows_[at_]; }
  const std::string& text() const { return text_; }  // of the row
  std::int64_t count() const { return count_; }
  std::string Hash() { return hash_.FinishHex(); }

 private:
  Result<bool> ReadMore() {
    const auto last = rows_.empty() ? StoredRow() : std::move(rows_.back());
    rows_ = PATRA_TRY(place_.database.Read([&](Session& session) {
      return place_.access.ReadAfter(session, last.empty() ? nullptr : &last, bound_);
    }));
    at_ = 0;
    return !rows_.empty();
  }

  const TablePlace place_;
  const RowsBound bound_;
  const std::vector<StoredKind> kinds_;
  std::vector<StoredRow> rows_;
  std::size_t at_ = 0;
  std::string text_;
  std::int64_t count_ = 0;
  Sha256Stream hash_;
};

// A server may keep texts as bytes. What knows both says what it is.
std::vector<StoredKind> KindsOf(const StoredTable& a, const StoredTable& b) {
  std::vector<StoredKind> kinds;
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    const auto kind = a.columns[i].kind;
    kinds.push_back(kind == StoredKind::kBytes ? b.columns[i].kind : kind);
  }
  return kinds;
}

}  // namespace

Result<contract::PromotedTable> CompareTables(const TablePlace& source, const TablePlace& target,
                                              const RowsBound& bound, const OnRows& on_rows) {
  const auto& table = source.access.table();
  const auto kinds = KindsOf(table, target.access.table());
  RowsInOrder ours(source, bound, kinds), theirs(target, bound, kinds);
  contract::PromotedTable compared{.name = table.name};
  const auto differs = [&](const StoredRow& row, std::string_view how) {
    if (++compared.differing <= static_cast<std::int64_t>(kDifferencesTold))
      compared.differences.push_back(fmt::format("{}: {}", DescribeKey(table, row), how));
  };
  bool has_ours = PATRA_TRY(ours.Next());
  bool has_theirs = PATRA_TRY(theirs.Next());
  while (has_ours || has_theirs) {
    if (ours.count() % bound.rows == 0) on_rows(ours.count());
    const auto order = !has_ours     ? std::strong_ordering::greater
                       : !has_theirs ? std::strong_ordering::less
                                     : CompareKeys(table, ours.row(), theirs.row());
    if (order < 0) differs(ours.row(), "missing in the target");
    if (order > 0) differs(theirs.row(), "in the target only");
    if (order == 0 && ours.text() != theirs.text()) differs(ours.row(), "other content");
    if (order <= 0) has_ours = PATRA_TRY(ours.Next());
    if (order >= 0) has_theirs = PATRA_TRY(theirs.Next());
  }
  compared.rows = ours.count();
  compared.hash = ours.Hash();
  compared.found = theirs.count();
  compared.found_hash = theirs.Hash();
  return compared;
}

}  // namespace patra::infra::sql
