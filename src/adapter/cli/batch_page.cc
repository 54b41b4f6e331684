#include "adapter/cli/batch_page.h"

#include <sstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/steps.h"
#include "adapter/cli/table.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kTextBytesMax = 2'000;

// What a provider wrote is nothing to be typed.
std::string Foreign(const std::string& text) { return WithoutSteps(SpelledOnOneLine(text)); }

const Value& Member(const Value& object, std::string_view name) {
  static const Value kNothing;
  const auto* member = object.Find(name);
  return member == nullptr ? kNothing : *member;
}

std::int64_t Number(const Value& object, std::string_view name) {
  const auto* number = Member(object, name).AsInteger();
  return number == nullptr ? 0 : *number;
}

std::string Text(const Value& value) {
  if (const auto* text = value.AsString()) return Foreign(*text);
  return value.is_null() ? "" : Foreign(PrintJson(value));
}

std::string Text(const Value& object, std::string_view name) { return Text(Member(object, name)); }

std::string Millis(std::int64_t millis) {
  if (millis < 10'000) return fmt::format("{} ms", Thousands(millis));
  return Roughly(std::chrono::milliseconds(millis));
}

void Section(std::string_view title, const Console& console) {
  fmt::print(console.out, "\n{}\n", title);
}

class Page {
 public:
  Page(const contract::BatchAccount& account, const Console& console)
      : account_(account),
        batch_(account.batch),
        console_(console),
        lines_(console),
        request_(contract::DigestFact(batch_.request_digest)),
        response_(contract::DigestFact(batch_.response_digest)),
        stats_(contract::JsonFact(batch_.stats)) {}

  void Print() const {
    PrintHead();
    PrintRequest();
    PrintAnswer();
    PrintGate();
    PrintTries();
    PrintRecords();
    PrintHealing();
    PrintCursor();
  }

 private:
  void Line(std::string_view name, const std::string& text) const {
    if (!text.empty()) lines_.Add(name, text);
  }

  void PrintHead() const {
    fmt::print(console_.out, "batch {} of run {}: {}{}\n", batch_.number, batch_.run, batch_.status,
               batch_.error_level.value_or("").empty() ? "" : " " + *batch_.error_level);
    Line("id", fmt::to_string(batch_.id));
    Line("source", fmt::format("{} {}", batch_.scope.Name(), batch_.scope.operation));
    if (account_.window) Line("window", account_.window->Describe());
    Line("position", Position());
    Line("began", When(batch_.created_at));
    if (batch_.committed_at)
      Line("ended", fmt::format("{}, after {}", When(batch_.committed_at),
                                Roughly(*batch_.committed_at - batch_.created_at)));
    if (batch_.error) Line("error", Short(*batch_.error, kTextBytesMax));
    Line("next", Next());
    Line("lineage", fmt::format("plan {} slice {} task {} run {}", batch_.plan, batch_.slice,
                                batch_.task, batch_.run));
    Line("snapshot", account_.fingerprint);
    Line("expression", account_.expr_hash);
    Line("signature", account_.signature);
  }

  std::string Position() const {
    std::string text;
    const auto add = [&](std::string part) {
      text += (text.empty() ? "" : ", ") + std::move(part);
    };
    if (batch_.page) add(fmt::format("page {}", *batch_.page));
    if (batch_.before_token) add("token " + Foreign(*batch_.before_token));
    if (batch_.time_from) add("from " + FormatRfc3339(*batch_.time_from));
    if (batch_.time_to) add("up to " + FormatRfc3339(*batch_.time_to));
    if (batch_.page_size) add(fmt::format("{} at a time", *batch_.page_size));
    return text;
  }

  std::string Next() const {
    if (batch_.after) return Foreign(*batch_.after);
    return batch_.status == "SUCCEEDED" || batch_.status == "SKIPPED" ? "nothing: it is the last"
                                                                      : "";
  }

  void PrintRequest() const {
    Section("request", console_);
    if (request_.is_null()) {
      fmt::print(
          console_.out, "  {}\n",
          batch_.status == "RUNNING" ? "it is under way" : "none went out that anybody knows of");
      return;
    }
    std::string query;
    if (const auto* parameters = Member(request_, "query").AsObject()) {
      for (const auto& [name, value] : *parameters)
        query += fmt::format("{}{}={}", query.empty() ? '?' : '&', Foreign(name), Text(value));
    }
    fmt::print(console_.out, "  {} {}{}\n", Text(request_, "method"), Text(request_, "urlTemplate"),
               query);
    PrintList(request_, "headers");
    Line("body", Text(request_, "bodyHash"));
  }

  void PrintList(const Value& object, std::string_view name) const {
    const auto* list = Member(object, name).AsArray();
    if (list == nullptr) return;
    for (const auto& line : *list) fmt::print(console_.out, "  {}\n", Text(line));
  }

  void PrintAnswer() const {
    if (response_.is_null()) return;
    Section("answer", console_);
    if (const auto status = Number(response_, "status"); status != 0) {
      fmt::print(
          console_.out, "  HTTP {} after {}{}\n", status, Millis(Number(stats_, "latencyMs")),
          batch_.raw_bytes ? fmt::format(", {} bytes are kept", Thousands(*batch_.raw_bytes)) : "");
    }
    Line("error", Text(response_, "error"));
    if (const auto* hints = Member(response_, "headerHints").AsObject()) {
      for (const auto& [name, value] : *hints) Line(name, Text(value));
    }
    PrintList(response_, "headers");
    Line("body", Text(response_, "sample"));
    const auto* bytes = Member(response_, "firstBytes").AsString();
    if (bytes == nullptr || bytes->empty()) return;
    fmt::print(console_.out, "  it begins:\n");
    std::istringstream lines(*bytes);
    for (std::string line; std::getline(lines, line);)
      fmt::print(console_.out, "    {}\n", Foreign(line));
  }

  void PrintGate() const {
    const auto& rate = Member(response_, "rate");
    const auto& parked = Member(response_, "parked");
    const auto& quota = Member(response_, "quota");
    if (rate.is_null() && parked.is_null()) return;
    Section("gate", console_);
    PrintDecision("decision", rate);
    PrintDecision("then", parked);
    if (quota.is_null()) return;
    Line("quota",
         fmt::format(
             "{} of {} left{}", Text(quota, "remaining"),
             Member(quota, "limit").is_null() ? "?" : Text(quota, "limit"),
             Member(quota, "windowReset").is_null() ? "" : " until " + Text(quota, "windowReset")));
  }

  void PrintDecision(std::string_view name, const Value& rate) const {
    if (rate.is_null()) return;
    auto text = fmt::format("{} at {} after {}", Text(rate, "decision"), Text(rate, "limitKey"),
                            Millis(Number(rate, "waitMs")));
    if (const auto reason = Text(rate, "reason"); reason != "NONE") text += " for " + reason;
    if (!Member(rate, "until").is_null()) text += ", again at " + Text(rate, "until");
    Line(name, text);
    if (!Member(rate, "r").is_null()) {
      auto pace =
          fmt::format("{} requests a second, {} at once", Text(rate, "r"), Text(rate, "burst"));
      if (!Member(rate, "share").is_null())
        pace += fmt::format("; {} of what is configured", Text(rate, "share"));
      Line("rate", pace);
    }
    Line("cool-down", Until(rate, "cooldownUntil"));
    Line("circuit", Until(rate, "circuitOpenUntil"));
  }

  static std::string Until(const Value& rate, std::string_view name) {
    const auto until = Text(rate, name);
    return until.empty() ? "" : "until " + until;
  }

  void PrintTries() const {
    if (Member(stats_, "reqCount").is_null()) return;
    Section("sent", console_);
    Line("requests",
         fmt::format("{}, {} retries, {} times told to slow down",
                     Thousands(Number(stats_, "reqCount")), Thousands(Number(stats_, "retryCount")),
                     Thousands(Number(stats_, "429Count"))));
    Line("waited",
         fmt::format("{} for permits, {} between tries", Millis(Number(stats_, "waitTotalMs")),
                     Millis(Number(stats_, "backoffTotalMs"))));
    Line("met", Met());
    const auto* errors = Member(stats_, "errors").AsArray();
    if (errors == nullptr || errors->empty()) return;
    Section("errors", console_);
    Table table({"at", "level", "status", "again after", "reason"});
    for (const auto& error : *errors) {
      table.Add({Text(error, "at"), Text(error, "level"), Text(error, "status"),
                 Millis(Number(error, "backoffMs")), Text(error, "reason")});
    }
    fmt::print(console_.out, "{}", table.Print(console_));
  }

  std::string Met() const {
    std::string text;
    const auto add = [&](std::string_view name, std::string_view said) {
      const auto times = Number(stats_, name);
      if (times > 0) text += fmt::format("{}{} ×{}", text.empty() ? "" : ", ", said, times);
    };
    add("retryAfterHits", "Retry-After");
    add("demoteEvents", "the rate went down");
    add("circuitOpened", "the circuit opened");
    add("quotaSoftHits", "what is left of a quota was for others");
    add("quotaHardHits", "a quota was used up");
    return text;
  }

  void PrintRecords() const {
    if (Number(stats_, "itemsCount") > 0) {
      Section("records", console_);
      std::string text;
      for (const auto* name : {"inserted", "updated", "unchanged", "stale", "failed", "filtered",
                               "repeated", "late", "passedOver"}) {
        if (const auto count = Number(stats_, name); count > 0)
          text += fmt::format(", {} {}", Thousands(count),
                              std::string_view(name) == "failed" ? "quarantined" : name);
      }
      Line("received", Thousands(Number(stats_, "itemsCount")) + text);
    }
    const auto* decisions = Member(stats_, "decisions").AsArray();
    if (decisions == nullptr || decisions->empty()) return;
    Section("the first decisions", console_);
    Table table({"record", "decision", "from", "to"});
    for (const auto& decision : *decisions) {
      table.Add({Text(decision, "id"), Text(decision, "decision"),
                 Version(Member(decision, "from")), Version(Member(decision, "to"))});
    }
    fmt::print(console_.out, "{}", table.Print(console_));
  }

  static std::string Version(const Value& version) {
    if (version.is_null()) return "-";
    auto text = Text(version, "updatedAt");
    if (const auto number = Number(version, "version"); number != 0)
      text += fmt::format(" v{}", number);
    if (Member(version, "deleted") == Value(true)) text += " deleted";
    return text;
  }

  void PrintHealing() const {
    const auto* healing = Member(stats_, "selfHealing").AsObject();
    if (healing == nullptr) return;
    std::string text;
    for (const auto& [name, is_so] : *healing) {
      if (is_so == Value(true)) text += (text.empty() ? "" : ", ") + name;
    }
    if (text.empty()) return;
    Section("self-healing", console_);
    fmt::print(console_.out, "  {}\n", Foreign(text));
  }

  void PrintCursor() const {
    if (account_.events.empty()) return;
    Section("cursor", console_);
    for (const auto& event : account_.events) {
      Line(event.key, fmt::format("{} {} → {} {}", event.direction, event.before.value_or("none"),
                                  event.after, Foreign(event.remarks)));
    }
  }

  const contract::BatchAccount& account_;
  const contract::BatchRow& batch_;
  const Console& console_;
  const NamedLines lines_;
  const Value request_;
  const Value response_;
  const Value stats_;
};

}  // namespace

void PrintBatchPage(const contract::BatchAccount& account, const Console& console) {
  Page(account, console).Print();
}

}  // namespace patra::adapter::cli
