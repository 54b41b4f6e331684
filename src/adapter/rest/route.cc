#include "adapter/rest/route.h"

namespace patra::adapter::rest {

namespace {

constexpr auto kTurnWaitedFor = std::chrono::seconds(1);

}  // namespace

std::string_view Name(Method method) { return method == Method::kGet ? "GET" : "POST"; }

std::string_view ContentTypeOf(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::kPlainText:
      return "text/plain; charset=utf-8";
    case AnswerKind::kMetrics:
      return "text/plain; version=0.0.4; charset=utf-8";
    case AnswerKind::kEvents:
      return "text/event-stream";
    case AnswerKind::kJson:
      break;
  }
  return "application/json";
}

Result<std::unique_lock<std::timed_mutex>> Call::OperationsTurn() const {
  std::unique_lock turn(turns.operations, kTurnWaitedFor);
  if (turn) return turn;
  return Fail(ErrorCode::kUnavailable, "another operation is being planned or replayed", {},
              "wait as Retry-After says");
}

bool IsIdPiece(std::string_view piece) { return piece == "{id}"; }

}  // namespace patra::adapter::rest
