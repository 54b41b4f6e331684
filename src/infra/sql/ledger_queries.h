#pragma once

#include "contract/ledger_queries.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class LedgerQueries final : public contract::LedgerQueries {
 public:
  explicit LedgerQueries(Database& database) : database_(database) {}

  Result<std::vector<contract::PlanRow>> Plans(const contract::LedgerFilter& filter) override;
  Result<std::vector<contract::SliceRow>> Slices(const contract::LedgerFilter& filter) override;
  Result<std::vector<contract::TaskRow>> Tasks(const contract::LedgerFilter& filter) override;
  Result<std::vector<contract::RunRow>> Runs(const contract::LedgerFilter& filter) override;
  Result<std::vector<contract::BatchRow>> Batches(const contract::LedgerFilter& filter) override;
  Result<std::vector<contract::CursorRow>> Cursors(const contract::LedgerFilter& filter) override;
  Result<contract::TriggerRow> Trigger(Id id) override;
  Result<contract::PlanRow> Plan(Id id) override;
  Result<contract::SliceRow> Slice(Id id) override;
  Result<contract::TaskRow> Task(Id id) override;
  Result<contract::RunRow> Run(Id id) override;
  Result<contract::BatchRow> Batch(Id id) override;
  Result<contract::CursorRow> Cursor(Id id) override;
  Result<std::vector<contract::OriginRow>> OriginsOf(Id plan) override;
  Result<std::vector<std::pair<std::string, std::int64_t>>> SliceCounts(Id plan) override;
  Result<std::vector<contract::AnswerCount>> AnswersOf(Id run) override;
  Result<std::vector<contract::CursorEventRow>> EventsOf(const contract::CursorRow& cursor,
                                                         const contract::Stretch& within,
                                                         int rows_max) override;
  Result<std::vector<contract::CursorEventRow>> EventsOf(
      const contract::LedgerFilter& filter) override;
  Result<std::vector<contract::DecisionRow>> Decisions(const std::string& object_type,
                                                       const std::string& object_id,
                                                       int rows_max) override;
  Result<std::vector<contract::AuditRow>> Audit(Id before, int rows_max) override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
