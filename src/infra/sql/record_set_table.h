// Table ing_record_set: a small number for each endpoint that has records, so that every record and every entry of its
// indexes names its endpoint in a byte or two. Only ing_item and what reads it know these numbers.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "base/id.h"
#include "domain/word/lane.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::record_set_table {

struct RecordSet {
  std::string source;
  std::string endpoint;
  Id number;

  friend auto operator<=>(const RecordSet&, const RecordSet&) = default;
};

// The number of an endpoint's records, made where there is none yet. Belongs to the session's transaction: nobody may keep
// it beyond that, because a number that was made is gone where the transaction is undone.
Result<Id> FindOrMake(Session& session, const domain::Lane& lane);

// One more change of these records was announced; how many those are. Others who announce some wait until this transaction is over,
// so that what comes first is numbered first.
Result<std::int64_t> CountChange(Session& session, Id number);

// Of what a definition makes that is applied from now on to pages that were mapped before.
Result<std::int64_t> RaiseGeneration(Session& session, Id number);
// Of what is mapped by the definition in force; 0 where there are no records yet.
Result<std::int64_t> GenerationOf(Session& session, const domain::Lane& lane);

// All of them where `source` is empty, in the order of their names; likewise for `endpoint`.
Result<std::vector<RecordSet>> List(Session& session, const std::string& source,
                                    const std::string& endpoint);

}  // namespace patra::infra::sql::record_set_table
