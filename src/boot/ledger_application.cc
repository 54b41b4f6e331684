#include "boot/ledger_application.h"

#include <charconv>

#include <unistd.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/moment.h"
#include "base/random.h"
#include "boot/credential_folder.h"
#include "boot/operator_name.h"
#include "boot/store_address.h"
#include "infra/gate/credential_book.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/read_side.h"
#include "infra/sql/task_queue.h"
#include "infra/sqlite/store.h"

namespace patra::boot {
namespace {

Result<std::unique_ptr<infra::sqlite::Store>> OpenExisting(const std::string& database,
                                                           const Clock& clock) {
  const auto file = PATRA_TRY(ExistingFile(database));
  return infra::sqlite::Store::Open({.path = file}, clock);
}

// What the store says, and what this machine knows about other stores.
class StatusOfMachine final : public contract::StatusQueries {
 public:
  StatusOfMachine(contract::StatusQueries& of_store, app::CredentialBook& book)
      : of_store_(of_store), book_(book) {}

  Result<contract::StoreStatus> Status(Instant now) override {
    auto status = PATRA_TRY(of_store_.Status(now));
    const auto shared = book_.Shared();
    if (!shared) status.sharing_unknown = shared.error().Describe();
    if (!shared) return status;
    for (const auto& one : *shared)
      status.shared_credentials.push_back({one.credential, one.store, one.other_name, one.used_at});
    return status;
  }

 private:
  contract::StatusQueries& of_store_;
  app::CredentialBook& book_;
};

// The read side together with the store it reads.
class OpenReadSide final : public contract::ReadSide {
 public:
  static Result<std::unique_ptr<contract::ReadSide>> Open(const std::string& database) {
    auto open = std::make_unique<OpenReadSide>();
    open->store_ = PATRA_TRY(OpenExisting(database, open->clock_));
    open->read_.emplace(*open->store_);
    open->book_.emplace(UsersCredentialFolder(), PATRA_TRY(SqliteFile(database)), open->clock_);
    open->status_.emplace(open->read_->status(), *open->book_);
    return open;
  }

  contract::LedgerQueries& ledger() override { return read_->ledger(); }
  contract::ItemQueries& items() override { return read_->items(); }
  contract::StatusQueries& status() override { return *status_; }
  contract::CompletenessQueries& completeness() override { return read_->completeness(); }

 private:
  SystemClock clock_;
  std::unique_ptr<infra::sqlite::Store> store_;
  std::optional<infra::sql::ReadSide> read_;
  std::optional<infra::gate::CredentialBook> book_;
  std::optional<StatusOfMachine> status_;
};

Result<domain::CursorValue> ValueOf(const contract::CursorRow& cursor, const std::string& text,
                                    Instant now) {
  if (cursor.type == "TIME") return PATRA_TRY(ParseMoment(text, now));
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no whole number", text), {},
                "this cursor counts ids");
  }
  return number;
}

}  // namespace

Result<std::unique_ptr<contract::ReadSide>> LedgerApplication::OpenStore(
    const std::string& database) {
  return OpenReadSide::Open(database);
}

Result<void> LedgerApplication::RequeueTask(const std::string& database, Id task,
                                            const std::string& reason) {
  SystemClock clock;
  const auto store = PATRA_TRY(OpenExisting(database, clock));
  IdGenerator ids(clock, HashText(fmt::format("requeue {}", getpid())));
  infra::sql::TaskQueue queue(*store, clock, ids);
  return queue.Requeue(task, {.actor = OperatorName(), .reason = reason});
}

Result<void> LedgerApplication::SetCursor(const std::string& database,
                                          const contract::CursorRow& cursor,
                                          const std::string& value, const std::string& reason) {
  SystemClock clock;
  const auto to = PATRA_TRY(ValueOf(cursor, value, clock.Now()));
  const auto operation = PATRA_TRY(domain::OperationFromCode(cursor.scope.operation));
  const auto store = PATRA_TRY(OpenExisting(database, clock));
  IdGenerator ids(clock, HashText(fmt::format("cursor {}", getpid())));
  infra::sql::CursorRepository cursors(*store, clock, ids);
  return cursors.Set(
      {.provenance = cursor.scope.source,
       .endpoint = cursor.scope.endpoint,
       .operation = operation},
      {.scope = cursor.namespace_scope, .key = cursor.namespace_key, .cursor_key = cursor.key}, to,
      {.actor = OperatorName(), .reason = reason});
}

}  // namespace patra::boot
