// Column stats of batches: what each brought, took and met, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "infra/sql/batch_table.h"

namespace patra::infra::sql::batch_stats {

std::string Encode(const app::BatchCommit& batch, const batch_table::TakenIn& taken_in);

// Of a batch that came to nothing.
std::string Encode(const domain::Evidence& evidence);

Result<domain::RecordCounts> DecodeCounts(std::string_view stats);

// Of its answer; 200 where it does not say.
int HttpStatusIn(std::string_view stats);

}  // namespace patra::infra::sql::batch_stats
