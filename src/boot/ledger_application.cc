#include "boot/ledger_application.h"

#include <charconv>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/moment.h"
#include "boot/credential_folder.h"
#include "boot/open_store.h"
#include "boot/operator_name.h"
#include "infra/gate/credential_book.h"

namespace patra::boot {
namespace {

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
    const auto address = PATRA_TRY(StoreAddress::OfExisting(database));
    open->store_ = PATRA_TRY(boot::OpenStore(address, StoreUse::kLook, open->clock_));
    open->book_.emplace(UsersCredentialFolder(), address.name(), open->clock_);
    open->status_.emplace(open->store_->read().status(), *open->book_);
    return open;
  }

  contract::LedgerQueries& ledger() override { return store_->read().ledger(); }
  contract::ItemQueries& items() override { return store_->read().items(); }
  contract::StatusQueries& status() override { return *status_; }
  contract::CompletenessQueries& completeness() override { return store_->read().completeness(); }

 private:
  SystemClock clock_;
  std::unique_ptr<app::Store> store_;
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
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kChange));
  return open->store->queue().Requeue(task, {.actor = OperatorName(), .reason = reason});
}

Result<void> LedgerApplication::SetCursor(const std::string& database,
                                          const contract::CursorRow& cursor,
                                          const std::string& value, const std::string& reason) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kChange));
  const auto to = PATRA_TRY(ValueOf(cursor, value, open->clock.Now()));
  const auto operation = PATRA_TRY(domain::OperationFromCode(cursor.scope.operation));
  return open->store->cursors().Set(
      {.provenance = cursor.scope.source,
       .endpoint = cursor.scope.endpoint,
       .operation = operation},
      {.scope = cursor.namespace_scope, .key = cursor.namespace_key, .cursor_key = cursor.key}, to,
      {.actor = OperatorName(), .reason = reason});
}

}  // namespace patra::boot
