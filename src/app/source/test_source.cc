#include "app/source/test_source.h"

#include <fmt/format.h>

#include "app/execute/render_request.h"
#include "base/canonical_json.h"
#include "base/moment.h"
#include "domain/page/page_reader.h"
#include "domain/source/compiled_source.h"
#include "domain/spec/merged_view.h"

namespace patra::app {
namespace {

using domain::DefinitionNode;
using domain::NodeReader;

// What the snapshot of one exchange was made of.
struct Exchange {
  NodeReader node;
  const domain::CompiledSource& source;
  ExchangeReport& report;

  void Compare(std::string_view what, const Value& expected, const Value& found) const {
    if (expected == found) return;
    report.differences.push_back(fmt::format("{}: expected {}, found {}", what,
                                             CanonicalJson(expected), CanonicalJson(found)));
  }
};

Result<domain::Window> WindowOf(const Exchange& exchange) {
  const auto from =
      PATRA_TRY(ParseMoment(exchange.node.Text("window.from", "2026-01-01"), Instant()));
  const auto to = PATRA_TRY(ParseMoment(exchange.node.Text("window.to", "2026-01-02"), Instant()));
  return domain::Window::Between(from, to);
}

Position PositionOf(const Exchange& exchange) {
  Position position{.page = exchange.source.spec().paging.first_page};
  if (const auto number = exchange.node.Integer("page.number")) position.page = number;
  if (const auto offset = exchange.node.Integer("page.offset")) position.page = offset;
  position.token = exchange.node.Text("page.token");
  return position;
}

Result<HttpRequest> RequestOf(const Exchange& exchange, bool is_details) {
  const auto window = PATRA_TRY(WindowOf(exchange));
  if (is_details)
    return RenderDetailRequest(exchange.source, {.window = window}, exchange.node.Texts("ids"));
  return RenderRequest(exchange.source, {.window = window}, PositionOf(exchange));
}

void CompareRequest(const Exchange& exchange, bool is_details) {
  const auto expected = exchange.node.Text("request");
  if (!expected) return;
  const auto request = RequestOf(exchange, is_details);
  if (!request) {
    exchange.report.differences.push_back("request: " + request.error().Describe());
    return;
  }
  exchange.Compare("request", *expected, request->method + " " + request->url);
  if (const auto body = exchange.node.Text("body")) exchange.Compare("body", *body, request->body);
}

// An exchange does not say when it was recorded: after everything that it speaks of.
HttpResponse AnswerOf(const Exchange& exchange) {
  HttpResponse answer{
      .status = static_cast<int>(exchange.node.Integer("answer.status").value_or(200)),
      .body = exchange.node.Text("answer.body", ""),
      .received_at = Instant(std::chrono::sys_days{std::chrono::year{2100} / 1 / 1})};
  answer.headers = exchange.node.Named("answer.headers");
  return answer;
}

Value RecordsAsValue(const std::vector<domain::Record>& records, const Value::Array& expected) {
  Value::Array list;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& record = records[i];
    const auto wants = [&](std::string_view name) {
      return i < expected.size() && expected[i].Find(name) != nullptr;
    };
    Value::Object object{{"id", record.id}};
    if (wants("updated")) object["updated"] = FormatRfc3339(record.version.updated_at);
    if (wants("deleted")) object["deleted"] = record.version.deleted;
    if (wants("merged_into")) object["merged_into"] = Value(record.merged_into.value_or(""));
    if (wants("version")) object["version"] = record.version.provider_version;
    if (wants("fields")) object["fields"] = ParseJson(record.fields).value_or(Value());
    list.emplace_back(std::move(object));
  }
  return list;
}

void CompareContent(const Exchange& exchange, const domain::PageContent& content) {
  const auto* expect = exchange.node.Part("expect").node();
  if (expect == nullptr) return;
  for (const auto& [name, place, node] : expect->members) {
    const auto expected = node.ToValue();
    Value found;
    if (name == "records") {
      static const Value::Array kNone;
      found = RecordsAsValue(content.records, expected.AsArray() ? *expected.AsArray() : kNone);
    } else if (name == "ids") {
      found = Value::Array(content.ids.begin(), content.ids.end());
    } else if (name == "total") {
      if (content.announced) found = *content.announced;
    } else if (name == "next") {
      if (content.next) found = *content.next;
    } else if (name == "has_more") {
      if (content.has_more) found = *content.has_more;
    } else if (name == "quarantined") {
      found = static_cast<std::int64_t>(content.bad_records.size());
    } else if (name == "rule") {
      if (content.rule) found = domain::LowerCode(CodeOf(content.rule->action));
    } else {
      exchange.report.differences.push_back(fmt::format("'{}' cannot be expected", name));
      continue;
    }
    exchange.Compare(name, expected, found);
  }
}

Result<ExchangeReport> RunExchange(const CatalogEntry& entry, const EntryFindings& findings,
                                   const DefinitionNode& item) {
  const NodeReader node(&item);
  const auto endpoint = node.Text("endpoint", "");
  ExchangeReport report{.name = node.Text("name", endpoint)};
  for (const auto& problem : ProblemsOf(findings, endpoint))
    report.differences.push_back(problem.Describe());
  if (!report.differences.empty()) return report;
  const auto compiled =
      domain::CompileSource({.definition = entry.definition.tree, .endpoint = endpoint});
  if (!compiled) return std::unexpected(compiled.error().front());
  const auto source = PATRA_TRY(domain::CompiledSource::Compile(compiled->spec));

  const Exchange exchange{node, source, report};
  const bool is_details = node.Text("phase", "") == "details";
  if (is_details && !source.spec().details) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' has no second phase", endpoint),
                item.place);
  }
  CompareRequest(exchange, is_details);
  const auto content = source.reader().Read(
      AnswerOf(exchange).answer(), is_details ? domain::Phase::kDetail : domain::Phase::kSearch);
  if (content) {
    CompareContent(exchange, *content);
  } else {
    report.differences.push_back("answer: " + content.error().Describe());
  }
  return report;
}

}  // namespace

Result<std::vector<ExchangeReport>> TestSource(const CatalogEntry& entry,
                                               const EntryFindings& findings,
                                               const DefinitionNode& exchanges) {
  std::vector<ExchangeReport> reports;
  const auto* list = exchanges.Find("exchanges");
  if (list == nullptr || !list->is_list())
    return Fail(ErrorCode::kInvalidInput, "the file has no list of exchanges", exchanges.place);
  for (const auto& item : list->items) {
    reports.push_back(PATRA_TRY(RunExchange(entry, findings, item)));
  }
  return reports;
}

}  // namespace patra::app
