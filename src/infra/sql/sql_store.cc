#include "infra/sql/sql_store.h"

#include <random>

#include <fmt/format.h>

#include "infra/sql/mask_key_table.h"
#include "infra/sql/promotion_table.h"

namespace patra::infra::sql {
namespace {

// From the machine: nobody may guess it.
std::string NewMaskKey() {
  std::random_device device;
  std::string key;
  for (int i = 0; i < 8; ++i) key += fmt::format("{:08x}", device());
  return key;
}

}  // namespace

Result<std::unique_ptr<SqlStore>> SqlStore::Open(std::unique_ptr<Database> database, Clock& clock,
                                                 std::string release) {
  auto node = std::make_unique<NodeLease>(*database, clock);
  PATRA_TRY(node->Take());
  auto key =
      PATRA_TRY(database->Read([](Session& session) { return mask_key_table::Find(session); }));
  if (key.empty()) {
    key = PATRA_TRY(database->Write([offered = NewMaskKey(), &clock](Session& session) {
      return mask_key_table::FindOrMake(session, offered, clock.Now());
    }));
  }
  return std::unique_ptr<SqlStore>(new SqlStore(std::move(database), std::move(node), clock,
                                                std::move(release), std::move(key)));
}

Result<std::unique_ptr<SqlStore>> SqlStore::OpenForLooking(std::unique_ptr<Database> database,
                                                           Clock& clock, std::string release) {
  PATRA_TRY(database->Read([](Session& session) { return promotion_table::CheckWhole(session); }));
  auto key =
      PATRA_TRY(database->Read([](Session& session) { return mask_key_table::Find(session); }));
  if (key.empty()) key = NewMaskKey();
  auto node = std::make_unique<NodeLease>(*database, clock);
  return std::unique_ptr<SqlStore>(new SqlStore(std::move(database), std::move(node), clock,
                                                std::move(release), std::move(key)));
}

SqlStore::SqlStore(std::unique_ptr<Database> database, std::unique_ptr<NodeLease> node,
                   Clock& clock, std::string release, std::string mask_key)
    : database_(std::move(database)),
      node_(std::move(node)),
      clock_(clock),
      mask_key_(std::move(mask_key)),
      ids_(clock, static_cast<std::uint64_t>(node_->number())),
      registry_(*database_, ids_, std::move(release)),
      plans_(*database_, clock, ids_),
      history_(*database_, clock),
      queries_(*database_, clock),
      queue_(*database_, clock, ids_),
      runs_(*database_, clock, ids_),
      found_ids_(*database_),
      cursors_(*database_, clock, ids_),
      signals_(*database_, clock, ids_),
      candidates_(*database_),
      quarantine_(*database_, clock, ids_),
      holds_(*database_, clock, ids_),
      adjustments_(*database_, clock, ids_),
      health_(*database_, clock),
      journal_(*database_, ids_),
      duties_(*database_, clock),
      alerts_(*database_, clock, ids_),
      executors_(*database_, clock, *node_),
      gate_ledger_(*database_, clock),
      replays_(*database_, clock, ids_),
      item_views_(*database_),
      outbox_(*database_, clock, ids_),
      jobs_(*database_, clock, ids_),
      executions_(*database_, clock, ids_),
      tokens_(*database_, clock, ids_),
      answers_(*database_, clock_),
      archive_(*database_, clock, ids_),
      rates_(*database_, clock),
      read_(*database_) {}

}  // namespace patra::infra::sql
