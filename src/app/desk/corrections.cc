#include <charconv>

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "base/moment.h"

namespace patra::app {
namespace {

// A moment or a number, as the cursor counts.
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

class StoreCorrections final : public Corrections {
 public:
  explicit StoreCorrections(const DeskPorts& ports)
      : plans_(ports.store.plans()),
        queue_(ports.store.queue()),
        cursors_(ports.store.cursors()),
        ledger_(ports.store.read().ledger()),
        clock_(ports.clock),
        mask_(ports.mask) {}

  Result<CancelReport> Cancel(const CancelRequest& request, const domain::Actor& actor) override {
    using enum CancelRequest::Kind;
    const auto decision = mask_.Decided(actor, request.reason);
    const auto cancelled =
        PATRA_TRY(request.kind == kPlan    ? plans_.CancelPlan(request.id, decision)
                  : request.kind == kSlice ? plans_.CancelSlice(request.id, decision)
                                           : plans_.CancelTask(request.id, decision));
    return CancelReport{.slices = cancelled.slices, .tasks = cancelled.tasks};
  }

  Result<void> RequeueTask(Id task, const std::string& reason,
                           const domain::Actor& actor) override {
    return queue_.Requeue(task, mask_.Decided(actor, reason));
  }

  Result<CursorChange> SetCursor(const std::string& cursor, const std::string& value,
                                 const std::string& reason, const domain::Actor& actor) override {
    const auto before = PATRA_TRY(FindCursor(cursor));
    const auto to = PATRA_TRY(ValueOf(before, value, clock_.Now()));
    const auto operation = PATRA_TRY(domain::OperationFromCode(before.scope.operation));
    PATRA_TRY(cursors_.Set(
        {.provenance = before.scope.source,
         .endpoint = before.scope.endpoint,
         .operation = operation},
        {.scope = before.namespace_scope, .key = before.namespace_key, .cursor_key = before.key},
        to, mask_.Decided(actor, reason)));
    return CursorChange{.before = before, .after = PATRA_TRY(ledger_.Cursor(before.id))};
  }

 private:
  Result<contract::CursorRow> FindCursor(const std::string& cursor) {
    const auto target = domain::TargetOf(cursor);
    if (!target.endpoint) return ledger_.Cursor(PATRA_TRY(ParseId(cursor)));
    const auto cursors = PATRA_TRY(ledger_.Cursors(
        {.source = target.source, .endpoint = *target.endpoint, .operation = "HARVEST"}));
    if (cursors.size() == 1) return cursors.front();
    return Fail(ErrorCode::kNotFound,
                cursors.empty() ? fmt::format("{} has no watermark yet", cursor)
                                : fmt::format("{} has {} watermarks", cursor, cursors.size()),
                {}, "name one by its id: `‹cursor.list›`");
  }

  PlanRepository& plans_;
  TaskQueue& queue_;
  CursorRepository& cursors_;
  contract::LedgerQueries& ledger_;
  Clock& clock_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Corrections> MakeCorrections(const DeskPorts& ports) {
  return std::make_unique<StoreCorrections>(ports);
}

}  // namespace patra::app
