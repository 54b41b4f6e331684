// One row of the table that the API is made of: what it answers to, who may ask, what it takes and what it gives. Requests are
// found, checked and described by the same row.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/rest/fields.h"
#include "adapter/rest/schema.h"
#include "adapter/rest/services.h"
#include "adapter/rest/turn.h"
#include "domain/word/access.h"
#include "domain/word/actor.h"

namespace patra::adapter::rest {

enum class Method { kGet, kPost };
std::string_view Name(Method method);

struct Parameter {
  std::string name;
  Schema schema;     // a text, an id, an integer or a flag
  Value standard{};  // taken where it is not given; null: none
  bool is_required = false;
};

class ChangeHub;
class EventHub;
class EventFeed;

// For what one thread asks at a time. An operation may wait for a provider: who comes meanwhile is told to come again, so that
// no worker waits for another.
struct Turns {
  Turn operations;
  std::mutex library;
};

struct Call {
  Services& services;
  Turns& turns;
  const Fields& arguments;  // of path and query
  const Fields& body;
  domain::Actor actor{};
  domain::Access access = domain::Access::kViewer;  // what the caller may
  std::string reason{};
  EventHub& events;
  ChangeHub& change_feed;
  std::string_view heard{};  // the last event, of a listener that comes back
  std::string_view known{};  // the mark of the answer that the caller has (If-None-Match)

  Result<std::unique_lock<Turn>> OperationsTurn() const;

  app::Desk& desk() const { return services.desk(); }
  app::Desk& changes() const { return services.desk_for_changes(); }
};

struct Reply {
  std::string body;
  int status = 200;
  std::shared_ptr<EventFeed> feed{};  // instead of a body
  std::string mark{};                 // by which the caller may ask whether it is still so (ETag)
};

using Handler = Result<Reply> (*)(const Call& call);

// What the answer is, but for errors, which are problems everywhere.
enum class AnswerKind { kJson, kPlainText, kMetrics, kEvents };
std::string_view ContentTypeOf(AnswerKind kind);

struct Route {
  Method method = Method::kGet;
  std::string path;                        // "/api/v1/plans/{id}"
  std::string name;                        // "showPlan": what programs call it
  std::string about;                       // for people
  std::optional<domain::Access> access{};  // none: whoever can connect
  std::vector<Parameter> parameters{};     // of the query
  std::optional<Schema> body{};
  Schema answer{};
  Handler handler = nullptr;
  AnswerKind kind = AnswerKind::kJson;
  bool needs_reason = false;       // it changes something, and the audit says why
  std::vector<int> statuses{200};  // that say that it went well
};

// One that looks.
Route ReadingRoute(std::string path, std::string name, std::string about,
                   std::vector<Parameter> parameters, Schema answer, Handler handler);
// One that changes something, and says why.
Route ChangingRoute(std::string path, std::string name, std::string about, Schema body,
                    Schema answer, Handler handler,
                    domain::Access access = domain::Access::kOperator);
// The member of a body that says why.
SchemaMember ReasonMember();

// Every piece in {} of a path is a text, but those that are ids.
bool IsIdPiece(std::string_view piece);

}  // namespace patra::adapter::rest
