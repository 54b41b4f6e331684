// How views select a slice with its task, in this order of columns.
#pragma once

#include "infra/sqlite/ledger_views.h"

namespace patra::infra::sqlite {

inline contract::SliceRow SliceRowOf(const Rows& rows) {
  return {.id = rows.Integer(0),
          .plan = rows.Integer(1),
          .parent = rows.Integer(2),
          .task = rows.Integer(3),
          .scope = ScopeOf(rows, 4),
          .number = rows.Integer(7),
          .status = rows.Text(8),
          .window = StretchOf(rows, 9),
          .sums = {.announced = rows.OptionalInteger(11),
                   .received = rows.Integer(12),
                   .inserted = rows.Integer(13),
                   .updated = rows.Integer(14),
                   .unchanged = rows.Integer(15),
                   .stale = rows.Integer(16),
                   .quarantined = rows.Integer(17),
                   .filtered = rows.Integer(18)},
          .gap = rows.OptionalText(19),
          .query_hash = rows.Text(20),
          .expr_hash = rows.Text(21),
          .created_at = rows.Time(22),
          .updated_at = rows.Time(23),
          .closed_at = rows.OptionalTime(24)};
}

}  // namespace patra::infra::sqlite
