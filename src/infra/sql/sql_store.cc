#include "infra/sql/sql_store.h"

#include <random>
#include <utility>

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

// For whoever names no folder.
class NoArchiveFiles final : public app::ArchiveFiles {
 public:
  std::string folder() const override { return {}; }
  Result<void> Write(const std::string&, std::string_view) override { return There(); }
  Result<std::string> Read(const std::string&, std::int64_t) override { return There(); }
  Result<void> Remove(const std::string&) override { return There(); }

 private:
  static std::unexpected<Error> There() {
    return Fail(ErrorCode::kNotFound, "there is no folder for the archive", {},
                "name one: retention.archive_dir");
  }
};

std::unique_ptr<app::ArchiveFiles> Given(std::unique_ptr<app::ArchiveFiles> files) {
  return files ? std::move(files) : std::make_unique<NoArchiveFiles>();
}

}  // namespace

Result<std::unique_ptr<SqlStore>> SqlStore::Open(std::unique_ptr<Database> database, Clock& clock,
                                                 std::string release,
                                                 std::unique_ptr<app::ArchiveFiles> files) {
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
                                                std::move(release), std::move(key),
                                                std::move(files)));
}

Result<std::unique_ptr<SqlStore>> SqlStore::OpenForLooking(
    std::unique_ptr<Database> database, Clock& clock, std::string release,
    std::unique_ptr<app::ArchiveFiles> files) {
  PATRA_TRY(database->Read([](Session& session) { return promotion_table::CheckWhole(session); }));
  auto key =
      PATRA_TRY(database->Read([](Session& session) { return mask_key_table::Find(session); }));
  if (key.empty()) key = NewMaskKey();
  auto node = std::make_unique<NodeLease>(*database, clock);
  return std::unique_ptr<SqlStore>(new SqlStore(std::move(database), std::move(node), clock,
                                                std::move(release), std::move(key),
                                                std::move(files)));
}

SqlStore::SqlStore(std::unique_ptr<Database> database, std::unique_ptr<NodeLease> node,
                   Clock& clock, std::string release, std::string mask_key,
                   std::unique_ptr<app::ArchiveFiles> files)
    : database_(std::move(database)),
      node_(std::move(node)),
      archive_files_(Given(std::move(files))),
      archived_(*archive_files_),
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
      replays_(*database_, clock, ids_, archived_),
      remaps_(*database_, clock, ids_),
      item_views_(*database_),
      outbox_(*database_, clock, ids_),
      jobs_(*database_, clock, ids_),
      executions_(*database_, clock, ids_),
      tokens_(*database_, clock, ids_),
      answers_(*database_, clock_),
      archive_(*database_, clock),
      old_rows_(*database_, clock),
      forgetting_(*database_, clock, ids_),
      rates_(*database_, clock),
      read_(*database_, archived_) {}

}  // namespace patra::infra::sql
