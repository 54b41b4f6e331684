// What stands in the way, and what people decide about it.
#include <algorithm>

#include <fmt/format.h>

#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "app/api/report_facts.h"
#include "base/base64.h"
#include "base/plain_text.h"
#include "base/utf8.h"
#include "domain/word/source_target.h"

namespace patra::adapter::rest {
namespace {

template <typename Row>
void AppendReport(const Row& row, std::string& out) {
  AppendJson(app::FactsOf(row), out);
}

Reply Said(Value::Object object) { return Reply{JsonOf(Value(std::move(object)))}; }

constexpr std::size_t kBytesShownMax = std::size_t{1} << 20;

// What is no text is at least readable.
std::string ReadableBytes(const std::string& bytes) {
  return FindInvalidUtf8(bytes) == std::string_view::npos ? bytes : Spelled(bytes);
}

Result<void> CheckTargetOf(const Call& call, const std::string& target) {
  const auto named = domain::TargetOf(target);
  return call.desk().names().CheckTarget(named.source, named.endpoint.value_or(""));
}

// Quarantine.

Result<domain::QuarantineFilter> QuarantineFilterOf(const Fields& fields) {
  const auto named = domain::TargetOf(fields.Text("source"));
  return domain::QuarantineFilter{.status = domain::QuarantineStatusOf(fields.Text("status"))
                                                .value_or(domain::QuarantineStatus::kOpen),
                                  .provenance = named.source,
                                  .endpoint = named.endpoint.value_or(""),
                                  .rule = fields.Text("rule"),
                                  .path = fields.Text("path"),
                                  .item_id = fields.Text("itemId")};
}

Result<Reply> ListQuarantine(const Call& call) {
  auto filter = PATRA_TRY(QuarantineFilterOf(call.arguments));
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, "quarantine", "i")))
    filter.below_id = *(*place)[0].AsInteger();
  const auto limit = call.arguments.Number("limit");
  const auto entries = PATRA_TRY(call.desk().quarantine().List(filter, limit + 1));
  if (entries.empty()) PATRA_TRY(CheckTargetOf(call, call.arguments.Text("source")));
  return PageReply(entries, limit, "quarantine", AppendReport<domain::QuarantineEntry>,
                   [](const domain::QuarantineEntry& entry) { return Value::Array{entry.id}; });
}

Result<Reply> CountQuarantine(const Call& call) {
  const auto filter = PATRA_TRY(QuarantineFilterOf(call.arguments));
  return WholeReply(PATRA_TRY(call.desk().quarantine().Count(filter)),
                    AppendReport<domain::QuarantineKind>);
}

Result<Reply> ShowQuarantined(const Call& call) {
  const auto found = PATRA_TRY(call.desk().quarantine().Show(call.arguments.IdOf("id")));
  auto facts = app::FactsOf(found.entry);
  const bool is_text = FindInvalidUtf8(found.bytes) == std::string_view::npos;
  const auto shown = std::string(WholeCharacters(found.bytes, 0, kBytesShownMax));
  facts.push_back({"fetchedAt", contract::TimeFact(found.fetched_at)});
  facts.push_back({"body", is_text ? shown : Base64(shown)});
  facts.push_back({"isBase64", !is_text});
  facts.push_back({"bodyIsCut", shown.size() < found.bytes.size()});
  const auto& around = found.around;
  facts.push_back({"around", around ? Value(Value::Object{{"before", ReadableBytes(around->before)},
                                                          {"behind", ReadableBytes(around->behind)},
                                                          {"offset", around->offset},
                                                          {"pageBytes", around->page_bytes}})
                                    : Value()});
  facts.push_back({"whyAlone", found.why_alone});
  Reply reply;
  AppendJson(facts, reply.body, Marks::kKeep);
  return reply;
}

std::string_view OutcomeOf(const domain::QuarantineDecided& decided) {
  if (!decided.is_new) return "DECIDED_BEFORE";
  if (decided.is_signalled) return "SIGNALLED";
  if (!decided.outcome) return "ARCHIVED";
  switch (*decided.outcome) {
    case domain::Overwrite::kInsert:
      return "INSERTED";
    case domain::Overwrite::kUpdate:
      return "UPDATED";
    case domain::Overwrite::kUnchanged:
      return "UNCHANGED";
    case domain::Overwrite::kStale:
      break;
  }
  return "STALE";
}

void AppendDecided(const app::QuarantineReport& report, std::string& out) {
  AppendJson(
      contract::Facts{{"id", fmt::to_string(report.id)},
                      {"done", !report.problem.has_value()},
                      {"outcome", report.problem ? Value() : Value(OutcomeOf(report.decided))},
                      {"problem", report.problem ? Value(report.problem->message) : Value()},
                      {"hint", report.problem ? Value(report.problem->hint) : Value()}},
      out);
}

template <app::QuarantineRequest::Kind kKind>
Result<Reply> DecideQuarantine(const Call& call) {
  const auto& body = call.body;
  app::QuarantineRequest request{.kind = kKind,
                                 .all = body.Flag("all"),
                                 .filter = PATRA_TRY(QuarantineFilterOf(body)),
                                 .item_id = body.TextIfAny("newItemId"),
                                 .reason = call.reason};
  PATRA_TRY(CheckTargetOf(call, body.Text("source")));
  if (const auto most = body.IntegerIfAny("limit")) request.records_max = static_cast<int>(*most);
  for (const auto& id : body.Texts("ids")) request.ids.push_back(PATRA_TRY(ParseId(id)));
  if (const auto* fields = body.Find("fields")) request.fields = PrintJson(*fields);
  return WholeReply(PATRA_TRY(call.changes().quarantine().Decide(request, call.actor)),
                    AppendDecided);
}

Result<Reply> ReleaseId(const Call& call) {
  const auto was_there = PATRA_TRY(call.changes().quarantine().ReleaseId(
      call.body.Text("target"), call.body.Text("itemId"), call.reason, call.actor));
  return Said({{"released", was_there}});
}

// Holds.

Result<Reply> ListFuses(const Call& call) {
  return WholeReply(
      PATRA_TRY(call.desk().holds().Fuses()),
      [](const domain::Hold& fuse, std::string& out) { AppendJson(app::FactsOfFuse(fuse), out); });
}

Result<Reply> ListHolds(const Call& call) {
  const auto status = PATRA_TRY(call.desk().read().status().Status(call.services.clock().Now()));
  return WholeReply(status.holds, [](const contract::HoldRow& hold, std::string& out) {
    AppendJson(FactsOf(hold), out);
  });
}

Result<Reply> ResetFuse(const Call& call) {
  PATRA_TRY(call.changes().holds().ResetFuse(call.body.Text("target"), call.reason, call.actor));
  return Said({{"target", call.body.Text("target")}});
}

Result<Reply> PauseSource(const Call& call) {
  PATRA_TRY(call.changes().holds().Pause({.target = call.body.Text("target"),
                                          .reason = call.reason,
                                          .until = call.body.TextIfAny("until")},
                                         call.actor));
  return Said({{"target", call.body.Text("target")}});
}

Result<Reply> ResumeSource(const Call& call) {
  const auto was_paused =
      PATRA_TRY(call.changes().holds().Resume(call.body.Text("target"), call.reason, call.actor));
  return Said({{"target", call.body.Text("target")}, {"wasPaused", was_paused}});
}

// Signals.

Result<Reply> ListSignals(const Call& call) {
  return WholeReply(PATRA_TRY(call.desk().signals().List(call.arguments.Text("status"),
                                                         call.arguments.Number("limit"))),
                    AppendReport<domain::Signal>);
}

Result<Reply> AddSignal(const Call& call) {
  const auto& body = call.body;
  domain::Signal signal{.item_id = body.Text("itemId"),
                        .type = body.TextIfAny("type").value_or("EXTERNAL"),
                        .origin = body.TextIfAny("origin").value_or("API: " + call.actor.name),
                        .note = body.Text("note")};
  const auto is_new = PATRA_TRY(call.changes().signals().Add(body.Text("target"), signal));
  return Said({{"new", is_new}});
}

// Healing.

Result<Reply> ListHealed(const Call& call) {
  const auto source = call.arguments.Text("source");
  PATRA_TRY(CheckTargetOf(call, source));
  return WholeReply(PATRA_TRY(call.desk().healing().Log(source, call.arguments.Text("since"),
                                                        call.arguments.Number("limit"))),
                    AppendReport<domain::HealEntry>);
}

Result<Reply> ListAdjustments(const Call& call) {
  return WholeReply(PATRA_TRY(call.desk().healing().Adjustments()),
                    AppendReport<domain::Adjustment>);
}

Result<Reply> TakeBackAdjustment(const Call& call) {
  const auto was_there = PATRA_TRY(call.changes().healing().TakeBack(
      {.target = call.body.Text("target"), .kind = call.body.Text("kind")}, call.reason,
      call.actor));
  return Said({{"takenBack", was_there}});
}

Result<Reply> HealOnce(const Call& call) {
  const auto turn = PATRA_TRY(call.OperationsTurn());
  return WholeReply(PATRA_TRY(call.services.operations().Heal()), AppendReport<domain::HealEntry>);
}

// Alerts.

Result<Reply> ListAlerts(const Call& call) {
  return WholeReply(PATRA_TRY(call.desk().alerts().List(call.arguments.Flag("all"),
                                                        call.arguments.Number("limit"))),
                    AppendReport<app::AlertReport>);
}

Result<Reply> SilenceAlerts(const Call& call) {
  const auto until = PATRA_TRY(call.changes().alerts().Silence(
      {.pattern = call.body.Text("pattern"),
       .length = call.body.TextIfAny("for").value_or(app::SilenceRequest{}.length),
       .reason = call.reason},
      call.actor));
  return Said({{"until", contract::TimeFact(until)}});
}

Result<Reply> ResolveAlert(const Call& call) {
  PATRA_TRY(call.changes().alerts().Resolve(call.body.Text("key")));
  return Said({{"key", call.body.Text("key")}});
}

// The gate.

Result<Reply> ListGateKeys(const Call& call) {
  return WholeReply(PATRA_TRY(call.changes().gate_keys().List()), AppendReport<app::GateKeyReport>);
}

Result<Reply> ResetGateKey(const Call& call) {
  PATRA_TRY(call.changes().gate_keys().Reset(call.body.Text("key"), call.reason, call.actor));
  return Said({{"key", call.body.Text("key")}});
}

SchemaMember Maybe(std::string name, Schema schema) {
  return {std::move(name), std::move(schema), false};
}

SchemaMember Target() { return {"target", Text("SOURCE or SOURCE/ENDPOINT")}; }

Schema QuarantineBody(bool approves) {
  std::vector<SchemaMember> members{
      Maybe("ids", ListOf({.kind = Schema::Kind::kId}, kRowsMost, "which; or `all`")),
      Maybe("all", Flag("all that match, newest first")),
      Maybe("source", Text("SOURCE or SOURCE/ENDPOINT")),
      Maybe("rule", Text("the rule that was broken")),
      Maybe("path", Text("the path that it was broken at")),
      Maybe("limit", Integer("of `all`: at most so many", 1, kRowsMost)),
      ReasonMember()};
  if (approves) {
    members.push_back(Maybe("newItemId", Text("the record's id, where it has none")));
    members.push_back(
        Maybe("fields", {.kind = Schema::Kind::kMap,
                         .about = "instead of what can be mapped",
                         .inner = std::make_shared<Schema>(Schema{.kind = Schema::Kind::kAny})}));
  }
  return ObjectOf(std::move(members));
}

Schema DecidedAnswer() {
  return ObjectOf(
      {{"items", ListOf(RowOf("id:id done:flag outcome:text? problem:text? hint:text?"))},
       {"next", {.kind = Schema::Kind::kText, .is_nullable = true}}});
}

std::vector<Parameter> QuarantineParameters() {
  return {{"source", Text("SOURCE or SOURCE/ENDPOINT")},
          {"rule", Text("the rule that was broken, such as required")},
          {"path", Text("the path that it was broken at")},
          {"itemId", Text("only this record's")},
          {"status", OneOf({"OPEN", "APPROVED", "REJECTED", "RETRIED"}), Value("OPEN")}};
}

std::vector<Route> QuarantineRoutes() {
  using enum app::QuarantineRequest::Kind;
  auto listing = QuarantineParameters();
  listing.push_back(LimitParameter());
  listing.push_back(AfterParameter());
  return {
      ReadingRoute("/api/v1/quarantine", "listQuarantine",
                   "what could not be taken in, newest first", std::move(listing),
                   PageOf("Quarantined"), ListQuarantine),
      ReadingRoute("/api/v1/quarantine/counts", "countQuarantine", "how many of each rule and path",
                   QuarantineParameters(), PageOf("QuarantineCount"), CountQuarantine),
      ReadingRoute("/api/v1/quarantine/{id}", "showQuarantined",
                   "one record: where from, why, and its bytes", {}, Named("QuarantinedRecord"),
                   ShowQuarantined),
      ChangingRoute("/api/v1/quarantine/approve", "approveQuarantined",
                    "take records in, with what can be mapped of them", QuarantineBody(true),
                    DecidedAnswer(), DecideQuarantine<kApprove>),
      ChangingRoute("/api/v1/quarantine/reject", "rejectQuarantined", "keep records out for good",
                    QuarantineBody(false), DecidedAnswer(), DecideQuarantine<kReject>),
      ChangingRoute("/api/v1/quarantine/retry", "retryQuarantined",
                    "map records with the present definition, or have them fetched again",
                    QuarantineBody(false), DecidedAnswer(), DecideQuarantine<kRetry>),
      ChangingRoute(
          "/api/v1/quarantine/release-id", "releaseId",
          "ask again for an id whose details could not be had",
          ObjectOf({Target(), {"itemId", Text("as the provider writes it")}, ReasonMember()}),
          RowOf("released:flag"), ReleaseId)};
}

std::vector<Route> HoldRoutes() {
  return {ReadingRoute("/api/v1/holds", "listHolds", "pauses, and fuses that have blown", {},
                       PageOf("Hold"), ListHolds),
          ReadingRoute("/api/v1/fuses", "listFuses", "sources that wait for a person, and why", {},
                       PageOf("Fuse"), ListFuses),
          ChangingRoute("/api/v1/fuses/reset", "resetFuse",
                        "let a source go on; the reason is what was done",
                        ObjectOf({Target(), ReasonMember()}), RowOf("target:text"), ResetFuse),
          ChangingRoute(
              "/api/v1/sources/pause", "pauseSource", "no new plans, no new tasks",
              ObjectOf({Target(), Maybe("until", Text("a moment; default: until it is resumed")),
                        ReasonMember()}),
              RowOf("target:text"), PauseSource),
          ChangingRoute("/api/v1/sources/resume", "resumeSource", "let a paused source go on",
                        ObjectOf({Target(), ReasonMember()}), RowOf("target:text wasPaused:flag"),
                        ResumeSource)};
}

std::vector<Route> HealRoutes() {
  return {
      ReadingRoute(
          "/api/v1/signals", "listSignals", "records that somebody asks to be fetched again",
          {{"status", OneOf({"OPEN", "PLANNED", "DONE"}), Value("OPEN")}, LimitParameter()},
          PageOf("Signal"), ListSignals),
      ChangingRoute("/api/v1/signals", "addSignal", "ask for a record to be fetched again",
                    ObjectOf({{"target", Text("SOURCE/ENDPOINT")},
                              {"itemId", Text("as the provider names it")},
                              Maybe("type", OneOf({"EXTERNAL", "RETRACTION", "MERGE",
                                                   "MISSING_FIELD", "QUARANTINE"})),
                              Maybe("origin", Text("who says so")),
                              Maybe("note", Text("for those who wonder later")),
                              ReasonMember()}),
                    RowOf("new:flag"), AddSignal),
      ReadingRoute("/api/v1/heal/log", "listHealed", "what self-healing saw and did, newest first",
                   {{"source", Text("only this one's")},
                    {"since", Text("2026-01-31, -7d"), Value("-7d")},
                    LimitParameter()},
                   PageOf("HealEntry"), ListHealed),
      ReadingRoute("/api/v1/heal/adjustments", "listAdjustments",
                   "what differs from the definitions for a while", {}, PageOf("Adjustment"),
                   ListAdjustments),
      ChangingRoute(
          "/api/v1/heal/adjustments/take-back", "takeBackAdjustment", "go by the definition again",
          ObjectOf({{"target", Text("SOURCE/ENDPOINT")},
                    {"kind", OneOf({"PAGE_SIZE", "CONCURRENCY", "SAFETY_LAG", "CURSOR_HOLD"})},
                    ReasonMember()}),
          RowOf("takenBack:flag"), TakeBackAdjustment),
      ChangingRoute("/api/v1/heal/run", "healOnce", "one round: look, decide, act",
                    ObjectOf({ReasonMember()}), PageOf("HealEntry"), HealOnce)};
}

std::vector<Route> AlertRoutes() {
  return {
      ReadingRoute("/api/v1/alerts", "listAlerts", "what fires at present, newest first",
                   {{"all", Flag("also what is resolved"), Value(false)}, LimitParameter()},
                   PageOf("Alert"), ListAlerts),
      ChangingRoute("/api/v1/alerts/silence", "silenceAlerts", "mark alerts as known for a while",
                    ObjectOf({{"pattern", Text("an alert's key, or how keys begin and a *")},
                              Maybe("for", Text("how long, such as 2h or 7d")),
                              ReasonMember()}),
                    RowOf("until:time"), SilenceAlerts),
      ChangingRoute("/api/v1/alerts/resolve", "resolveAlert", "the trouble is over",
                    ObjectOf({{"key", Text("as the list shows it")}, ReasonMember()}),
                    RowOf("key:text"), ResolveAlert),
      ReadingRoute("/api/v1/gate/keys", "listGateKeys",
                   "what the rate gate knows of each allowance", {}, PageOf("GateKey"),
                   ListGateKeys),
      ChangingRoute("/api/v1/gate/keys/reset", "resetGateKey",
                    "end stops and slow-downs; what was used stays used",
                    ObjectOf({{"key", Text("as the list shows it")}, ReasonMember()}),
                    RowOf("key:text"), ResetGateKey)};
}

}  // namespace

std::vector<Route> TroubleRoutes() {
  std::vector<Route> all;
  for (auto* family : {QuarantineRoutes, HoldRoutes, HealRoutes, AlertRoutes}) {
    for (auto& route : family()) all.push_back(std::move(route));
  }
  return all;
}

}  // namespace patra::adapter::rest
