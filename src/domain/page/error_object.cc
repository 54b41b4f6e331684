#include "domain/page/error_object.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/integer.h"
#include "domain/page/field_value.h"
#include "domain/word/codes.h"

namespace patra::domain {
namespace {

constexpr std::size_t kShownMax = 200;

template <std::size_t N>
bool IsAmong(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr auto kTroubles = std::to_array<std::string_view>({"error",
                                                            "errors",
                                                            "err",
                                                            "exception",
                                                            "fault",
                                                            "errormessage",
                                                            "error_message",
                                                            "errormsg",
                                                            "error_msg",
                                                            "errmsg",
                                                            "timed_out",
                                                            "timedout",
                                                            "partial",
                                                            "incomplete",
                                                            "incomplete_results",
                                                            "incompleteresults",
                                                            "partial_results",
                                                            "partialresults",
                                                            "is_partial",
                                                            "ispartial",
                                                            "has_errors",
                                                            "haserrors",
                                                            "terminated_early",
                                                            "truncated",
                                                            "degraded",
                                                            "failures",
                                                            "failure",
                                                            "has_error",
                                                            "haserror",
                                                            "error_count",
                                                            "errorcount",
                                                            "error_description",
                                                            "errordescription"});
// Names are also made of these, in any way of joining them: isError, failed_shards, queryTimedOut.
constexpr auto kTroubleWords = std::to_array<std::string_view>(
    {"error", "errors", "err", "exception", "exceptions", "fault", "faults", "fail", "failed",
     "failure", "failures", "failing", "incomplete", "partial", "truncated", "degraded",
     "unavailable", "aborted", "timedout"});
constexpr auto kLimitWords =
    std::to_array<std::string_view>({"limited", "throttled", "capped", "clipped"});
constexpr auto kWellWords =
    std::to_array<std::string_view>({"available", "valid", "healthy", "successful", "succeeded"});
constexpr auto kWordsBeside = std::to_array<std::string_view>(
    {"is",    "are",    "was",     "were",     "has",     "have",    "had",   "any",
     "some",  "result", "results", "response", "answer",  "request", "query", "search",
     "shard", "shards", "index",   "indexes",  "page",    "data",    "rate",  "service",
     "count", "number", "num",     "total",    "message", "text",    "early"});
// Beside records they may speak of the page; where none came, of why.
constexpr auto kGoesOn = std::to_array<std::string_view>(
    {"exceededtransferlimit", "exceeded_transfer_limit", "retry", "try_again", "tryagain",
     "timeout", "throttled", "rate_limited", "ratelimited"});
constexpr auto kIsWhole = std::to_array<std::string_view>(
    {"complete", "is_complete", "iscomplete", "completed", "done", "finished"});
constexpr auto kNoTrouble =
    std::to_array<std::string_view>({"none", "ok", "null", "success", "successful", "succeeded"});
constexpr auto kSuccesses = std::to_array<std::string_view>({"success", "ok"});
constexpr auto kStatuses = std::to_array<std::string_view>({"status", "result", "state"});
constexpr auto kFailures = std::to_array<std::string_view>(
    {"error", "fail", "failed", "failure", "exception", "partial", "errored", "unavailable",
     "timeout", "incomplete", "degraded", "throttled"});
// Of an answer that is not there yet; beside records it may speak of anything.
constexpr auto kNotYet = std::to_array<std::string_view>(
    {"processing", "pending", "accepted", "queued", "running", "in_progress", "preparing"});
constexpr auto kCodes = std::to_array<std::string_view>(
    {"code", "errcode", "err_code", "errno", "errorcode", "error_code", "retcode", "ret_code",
     "ret", "statuscode", "status_code", "httpstatus", "http_status"});
constexpr auto kMessages = std::to_array<std::string_view>(
    {"message", "messages", "msg", "detail", "reason", "warning", "warnings"});
// Lists have them, too; only what complains is meant.
constexpr auto kRemarks =
    std::to_array<std::string_view>({"title", "note", "notice", "info", "information"});
// In words that are no way to say that there is nothing.
constexpr auto kComplaints = std::to_array<std::string_view>(
    {"exceed",      "limit",     "quota",       "thrott",      "timeout",       "timed out",
     "error",       "fail",      "unavailable", "denied",      "forbidden",     "unauthor",
     "invalid",     "busy",      "overload",    "try again",   "retry",         "frequency",
     "maintenance", "not ready", "not include", "not allowed", "not permitted", "too many",
     "upgrade",     "suspended", "blocked"});
constexpr auto kHeads =
    std::to_array<std::string_view>({"meta", "_meta", "metadata", "header", "responseheader",
                                     "head", "info", "status", "result", "response", "extensions"});
// Elasticsearch says there of how many parts of it nothing came.
constexpr std::string_view kShards = "_shards";

bool IsComplaint(std::string_view text) {
  return std::ranges::any_of(kComplaints,
                             [&](std::string_view word) { return text.find(word) != text.npos; });
}

// In lower case: "queryTimedOut" is query, timed, out; what is written as one word is one.
std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_joint = name[i] == '_' || name[i] == '-' || name[i] == '.' || name[i] == '@';
    const bool begins = is_joint || (i > 0 && is_upper(name[i]) && !is_upper(name[i - 1]));
    if (begins && !words.back().empty()) words.emplace_back();
    if (!is_joint) words.back() += LowerCode(name.substr(i, 1));
  }
  // Two words as one, for they are written both ways.
  const auto timed = std::ranges::find(words, "timed");
  if (timed != words.end() && timed + 1 != words.end() && timed[1] == "out") {
    *timed = "timedout";
    words.erase(timed + 1);
  }
  return words;
}

// Whether the name is made of such words and of nothing that gives it another sense: `allow_partial` is a wish.
template <std::size_t N>
bool IsMadeOf(const std::vector<std::string>& words,
              const std::array<std::string_view, N>& telling) {
  return std::ranges::any_of(words, [&](const auto& word) { return IsAmong(telling, word); }) &&
         std::ranges::all_of(words, [&](const auto& word) {
           return IsAmong(telling, word) || IsAmong(kWordsBeside, word);
         });
}

// Unfinished: beside records, it is the page that is meant.
enum class Says { kNothing, kWell, kPerhapsTrouble, kUnfinished, kTrouble };

Says OfScalar(std::string_view name, std::string_view text) {
  const auto number = ParseInteger(text);
  const bool is_good_word = IsAmong(kNoTrouble, text);
  const bool is_well =
      is_good_word || (number && (*number == 0 || (*number >= 200 && *number < 300)));
  if (IsAmong(kSuccesses, name))
    return text == "false" || text == "0" ? Says::kTrouble : Says::kWell;
  if (IsAmong(kStatuses, name)) {
    if (IsAmong(kFailures, text) || (number && *number >= 400 && *number < 600))
      return Says::kTrouble;
    if (IsAmong(kNotYet, text)) return Says::kPerhapsTrouble;
    return is_well ? Says::kWell : Says::kNothing;
  }
  const bool is_unfinished =
      (IsAmong(kGoesOn, name) && text == "true") || (IsAmong(kIsWhole, name) && text == "false");
  if (is_unfinished) return Says::kUnfinished;
  if (text.empty()) return Says::kNothing;
  if (IsAmong(kCodes, name)) return is_well ? Says::kWell : Says::kPerhapsTrouble;
  if (IsAmong(kRemarks, name)) return IsComplaint(text) ? Says::kPerhapsTrouble : Says::kNothing;
  if (IsAmong(kMessages, name)) return is_good_word ? Says::kWell : Says::kPerhapsTrouble;
  return Says::kNothing;
}

// By the words that the name is made of.
Says OfWords(std::string_view known, Node node) {
  const auto words = WordsOf(known);
  const auto text = LowerCode(node.Text());
  if (IsMadeOf(words, kTroubleWords)) {
    // A number beside records may count anything.
    const auto says = ParseInteger(text) ? Says::kPerhapsTrouble : Says::kTrouble;
    return IsTrue(node) && !IsAmong(kNoTrouble, text) ? says : Says::kNothing;
  }
  if (IsMadeOf(words, kLimitWords)) return text == "true" ? Says::kUnfinished : Says::kNothing;
  if (IsMadeOf(words, kWellWords)) return text == "false" ? Says::kPerhapsTrouble : Says::kNothing;
  return Says::kNothing;
}

Says WhatSays(std::string_view known, Node node) {
  const auto name = LowerCode(known);
  const bool is_scalar = !node.is_array() && !node.is_object();
  const auto text = is_scalar ? LowerCode(node.Text()) : "";
  if (IsAmong(kMessages, name) && node.is_array())
    return node.size() > 0 ? Says::kPerhapsTrouble : Says::kNothing;
  if (!IsAmong(kTroubles, name)) {
    if (!is_scalar || node.is_null()) return Says::kNothing;
    const auto says = OfScalar(name, text);
    return says == Says::kNothing && !node.is_xml() ? OfWords(known, node) : says;
  }
  const bool says_something =
      is_scalar ? !IsEmpty(node) && IsTrue(node) && !IsAmong(kNoTrouble, text) : node.size() > 0;
  return says_something ? Says::kTrouble : Says::kNothing;
}

std::optional<std::string> FindInShards(Node shards) {
  const auto count = [&](std::string_view name) -> std::int64_t {
    const auto member = shards.is_object() ? shards.Find(name) : std::nullopt;
    return member ? member->AsInteger().value_or(0) : 0;
  };
  const bool are_some_silent = count("successful") > 0 && count("successful") < count("total");
  if (count("failed") == 0 && !are_some_silent) return std::nullopt;
  return fmt::format("_shards: {}", shards.Text());
}

std::optional<std::string> FindIn(Node object, Beside beside) {
  if (!object.is_object() && !object.is_xml()) return std::nullopt;
  std::optional<std::string> perhaps;
  bool is_well = false;
  for (const auto [name, node] : object.children()) {
    const auto known = node.is_xml() ? node.local_name() : name;
    const auto lower = LowerCode(known);
    // Records may have any name there.
    if (node.is_xml() && beside == Beside::kRecords && !IsAmong(kTroubles, lower)) continue;
    const auto says = WhatSays(known, node);
    const bool is_said_in_words = beside == Beside::kNothingAnnounced &&
                                  IsAmong(kMessages, lower) && !IsComplaint(LowerCode(node.Text()));
    const bool is_remark = beside == Beside::kRecords && says != Says::kTrouble;
    if (says == Says::kNothing || is_said_in_words || is_remark) continue;
    is_well = is_well || says == Says::kWell;
    if (says == Says::kWell) continue;
    auto found = fmt::format("{}: {}", known, node.Text().substr(0, kShownMax));
    if (says == Says::kTrouble || says == Says::kUnfinished) return found;
    if (!perhaps) perhaps = std::move(found);
  }
  return is_well ? std::nullopt : perhaps;
}

std::optional<std::string> FindHereOrInHeads(Node object, Beside beside) {
  if (auto error = FindIn(object, beside)) return error;
  if (!object.is_object()) return std::nullopt;
  for (const auto [name, node] : object.children()) {
    const auto lower = LowerCode(name);
    auto error = lower == kShards         ? FindInShards(node)
                 : IsAmong(kHeads, lower) ? FindIn(node, beside)
                                          : std::nullopt;
    if (error) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FindErrorBeside(Node root, JsonSteps steps, Beside beside) {
  auto here = std::optional(root);
  for (const auto& step : steps) {
    const bool are_records =
        beside == Beside::kRecords && (std::holds_alternative<JsonPath::EveryChild>(step) ||
                                       std::holds_alternative<JsonPath::Chosen>(step));
    if (are_records) return std::nullopt;
    if (auto error = FindHereOrInHeads(*here, beside)) return error;
    const auto* name = std::get_if<std::string>(&step);
    here = name == nullptr || !here->is_object() ? std::nullopt : here->Find(*name);
    if (!here) return std::nullopt;
  }
  return steps.empty() ? FindHereOrInHeads(root, beside) : std::nullopt;
}

}  // namespace patra::domain
