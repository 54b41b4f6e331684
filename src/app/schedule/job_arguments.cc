#include "app/schedule/job_arguments.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/plan/plan_wishes.h"
#include "base/close_match.h"
#include "base/duration.h"
#include "base/moment.h"
#include "domain/spec/scalars.h"

namespace patra::app {
namespace {

using domain::Operation;

constexpr unsigned kOfHarvest = 1;
constexpr unsigned kOfBackfill = 2;
constexpr unsigned kOfUpdate = 4;
constexpr unsigned kOfAll = kOfHarvest | kOfBackfill | kOfUpdate;

constexpr std::int64_t kPartsMost = 1'000;
constexpr std::int64_t kPriorityMost = 9;
constexpr std::int64_t kAtOnceMost = 1'000;
constexpr std::int64_t kPageSizeOfJobMost = 1'000'000;
constexpr std::int64_t kRequestsOfJobMost = 1'000'000'000;

unsigned BitOf(Operation operation) {
  switch (operation) {
    case Operation::kHarvest:
      return kOfHarvest;
    case Operation::kBackfill:
      return kOfBackfill;
    case Operation::kUpdate:
      break;
  }
  return kOfUpdate;
}

std::unexpected<Error> NotA(const char* wanted) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("this is not {}", wanted));
}

Result<std::string> TextIn(const Value& value) {
  if (const auto* text = value.AsString()) return *text;
  if (const auto* number = value.AsInteger()) return fmt::to_string(*number);
  return NotA("a text");
}

Result<bool> FlagIn(const Value& value) {
  if (const auto* flag = value.AsBool()) return *flag;
  return NotA("true or false");
}

Result<std::int64_t> CountIn(const Value& value, std::int64_t most) {
  const auto* number = value.AsInteger();
  if (number == nullptr) return NotA("a whole number");
  if (*number >= 1 && *number <= most) return *number;
  return Fail(ErrorCode::kInvalidInput, fmt::format("{} is out of range", *number), {},
              fmt::format("1 to {}", most));
}

Result<std::string> MomentIn(const Value& value) {
  auto text = PATRA_TRY(TextIn(value));
  PATRA_TRY(ParseMoment(text, Instant()));
  return text;
}

// Longer than nothing.
Result<std::string> LengthIn(const Value& value) {
  auto text = PATRA_TRY(TextIn(value));
  if (PATRA_TRY(ParseDuration(text)) <= Duration::zero())
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} is no length", text), {}, "such as 30d");
  return text;
}

// An age, or true: as the definition says.
Result<std::optional<std::string>> AgeIn(const Value& value) {
  if (const auto* flag = value.AsBool()) return *flag ? std::optional("") : std::nullopt;
  auto text = PATRA_TRY(TextIn(value));
  if (!text.empty() && PATRA_TRY(ParseDuration(text)) < Duration::zero())
    return Fail(ErrorCode::kInvalidInput, fmt::format("no record is {} old", text), {}, "30d");
  return text;
}

std::string AsWritten(const Value& value) {
  const auto* text = value.AsString();
  return text == nullptr ? PrintJson(value) : *text;
}

// A list of PATH=VALUE, or an object of paths and values.
Result<std::vector<std::string>> OverridesIn(const Value& value) {
  std::vector<std::string> overrides;
  if (const auto* members = value.AsObject()) {
    for (const auto& [path, to] : *members)
      overrides.push_back(fmt::format("{}={}", path, AsWritten(to)));
    return overrides;
  }
  const auto* items = value.AsArray();
  if (items == nullptr) return NotA("a list of PATH=VALUE, or paths with values");
  for (const auto& item : *items) {
    const auto* text = item.AsString();
    if (text == nullptr || !text->contains('=')) return NotA("a list of PATH=VALUE");
    overrides.push_back(*text);
  }
  return overrides;
}

struct ArgumentRow {
  std::string_view name;
  unsigned of;
  Result<void> (*fill)(const Value& value, PlanRequest& request);
};

constexpr auto kArguments = std::to_array<ArgumentRow>({
    {"from", kOfHarvest | kOfBackfill,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.from = PATRA_TRY(MomentIn(value));
       return {};
     }},
    {"to", kOfHarvest | kOfBackfill,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.to = PATRA_TRY(MomentIn(value));
       return {};
     }},
    {"gaps", kOfBackfill,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.gaps = PATRA_TRY(FlagIn(value));
       return {};
     }},
    {"auto", kOfBackfill,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.further = PATRA_TRY(FlagIn(value));
       return {};
     }},
    {"until", kOfBackfill,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.until = PATRA_TRY(MomentIn(value));
       return {};
     }},
    {"step", kOfBackfill,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.step = PATRA_TRY(LengthIn(value));
       return {};
     }},
    {"stale", kOfUpdate,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.stale = PATRA_TRY(AgeIn(value));
       return {};
     }},
    {"parts", kOfUpdate,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.parts = static_cast<int>(PATRA_TRY(CountIn(value, kPartsMost)));
       return {};
     }},
    {"expr_changed", kOfUpdate,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.expr_changed = PATRA_TRY(FlagIn(value));
       return {};
     }},
    {"signals", kOfUpdate,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.signals = PATRA_TRY(FlagIn(value));
       return {};
     }},
    {"page_size", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.source.page_size = PATRA_TRY(CountIn(value, kPageSizeOfJobMost));
       return {};
     }},
    {"rate", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       auto rate = PATRA_TRY(TextIn(value));
       PATRA_TRY(domain::ParseRate(rate));
       request.source.rate = std::move(rate);
       return {};
     }},
    {"priority", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.options.priority = static_cast<int>(PATRA_TRY(CountIn(value, kPriorityMost)));
       return {};
     }},
    {"max_requests", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.options.requests_max = PATRA_TRY(CountIn(value, kRequestsOfJobMost));
       return {};
     }},
    {"at_once", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.options.tasks_at_once = static_cast<int>(PATRA_TRY(CountIn(value, kAtOnceMost)));
       return {};
     }},
    {"spread", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       auto spread = PATRA_TRY(TextIn(value));
       PATRA_TRY(SpreadOf(spread));
       request.spread = std::move(spread);
       return {};
     }},
    {"set", kOfAll,
     [](const Value& value, PlanRequest& request) -> Result<void> {
       request.source.overrides = PATRA_TRY(OverridesIn(value));
       return {};
     }},
});

std::vector<std::string_view> NamesFor(unsigned operation) {
  std::vector<std::string_view> names;
  for (const auto& row : kArguments) {
    if ((row.of & operation) != 0) names.push_back(row.name);
  }
  return names;
}

Error Unknown(const std::string& name, Operation operation) {
  const auto known = NamesFor(BitOf(operation));
  const auto* row = std::ranges::find(kArguments, name, &ArgumentRow::name);
  auto message = row == kArguments.end()
                     ? fmt::format("'{}' is no argument of a job", name)
                     : fmt::format("'{}' is no argument of {}", name, Code(operation));
  return {ErrorCode::kInvalidInput,
          std::move(message),
          {},
          DidYouMean(name, known, fmt::format("there are {}", fmt::join(known, ", ")))};
}

// A window that ends before it begins, whenever the job fires: what counts from then moves with it, what does not stays.
std::optional<Error> NeverBegins(const PlanRequest& request) {
  if (!request.from || !request.to) return std::nullopt;
  constexpr Instant kLongAgo{};
  constexpr Instant kLongFromNow{std::chrono::days(100'000)};
  for (const auto now : {kLongAgo, kLongFromNow}) {
    const auto from = ParseMoment(*request.from, now);
    const auto to = ParseMoment(*request.to, now);
    if (!from || !to || *from < *to) return std::nullopt;
  }
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("the window ends at {}, before it begins at {}", *request.to, *request.from),
      {},
      "exchange from and to"};
}

}  // namespace

std::vector<JobProblem> ReadArguments(const Value& arguments, PlanRequest& request) {
  const auto* members = arguments.AsObject();
  if (members == nullptr)
    return {{"arguments",
             {ErrorCode::kInvalidInput,
              "arguments are names with values",
              {},
              "such as {\"gaps\": true}"}}};
  const auto operation = request.source.operation;
  std::vector<JobProblem> problems;
  for (const auto& [name, value] : *members) {
    const auto* row = std::ranges::find(kArguments, name, &ArgumentRow::name);
    const auto field = "arguments." + name;
    if (row == kArguments.end() || (row->of & BitOf(operation)) == 0) {
      problems.push_back({field, Unknown(name, operation)});
      continue;
    }
    if (const auto filled = row->fill(value, request); !filled)
      problems.push_back({field, Error(filled.error()).While(name)});
  }
  if (!problems.empty()) return problems;
  if (const auto fit = CheckWishes(request); !fit) problems.push_back({"arguments", fit.error()});
  if (auto backwards = NeverBegins(request))
    problems.push_back({"arguments.to", *std::move(backwards)});
  return problems;
}

Result<PlanRequest> RequestOf(const domain::Job& job) {
  PlanRequest request;
  request.source = {.target = job.Target(), .operation = job.operation, .query = job.query};
  const auto arguments = PATRA_TRY(ParseJson(job.params));
  const auto problems = ReadArguments(arguments, request);
  if (!problems.empty()) return std::unexpected(problems.front().error);
  return request;
}

}  // namespace patra::app
