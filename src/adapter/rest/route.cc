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

Result<std::unique_lock<Turn>> Call::OperationsTurn() const {
  std::unique_lock turn(turns.operations, kTurnWaitedFor);
  if (turn) return turn;
  return Fail(ErrorCode::kUnavailable, "another operation is being planned or replayed", {},
              "wait as Retry-After says");
}

Route ReadingRoute(std::string path, std::string name, std::string about,
                   std::vector<Parameter> parameters, Schema answer, Handler handler) {
  return {.path = std::move(path),
          .name = std::move(name),
          .about = std::move(about),
          .access = domain::Access::kViewer,
          .parameters = std::move(parameters),
          .answer = std::move(answer),
          .handler = handler};
}

Route ChangingRoute(std::string path, std::string name, std::string about, Schema body,
                    Schema answer, Handler handler, domain::Access access) {
  return {.method = Method::kPost,
          .path = std::move(path),
          .name = std::move(name),
          .about = std::move(about),
          .access = access,
          .body = std::move(body),
          .answer = std::move(answer),
          .handler = handler,
          .needs_reason = true};
}

SchemaMember ReasonMember() { return {"reason", Text("why, for the audit; or the header"), false}; }

bool IsIdPiece(std::string_view piece) { return piece == "{id}"; }

}  // namespace patra::adapter::rest
