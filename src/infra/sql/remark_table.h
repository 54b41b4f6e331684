// Column record_remarks of tasks and slices: what happened to them that no state tells, why, and who wanted it. The newest
// remarks are kept.
#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/value.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::remark_table {

struct Remark {
  std::string_view what;  // a fixed code, such as GIVEN_UP
  std::string why;
  std::string by{};  // a person; empty where nobody had to decide
};

// A list of remarks, as JSON, with one more at its end; the oldest give way.
std::string WithOneMore(std::string_view remarks, Value remark, std::size_t remarks_max);

Result<void> OnTask(Session& session, Id task, const Remark& remark, Instant now);
Result<void> OnSlice(Session& session, Id slice, const Remark& remark, Instant now);

}  // namespace patra::infra::sql::remark_table
