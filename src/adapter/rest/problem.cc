#include "adapter/rest/problem.h"

#include <fmt/format.h>

#include "adapter/rest/json_text.h"
#include "adapter/rest/steps.h"

namespace patra::adapter::rest {
namespace {

constexpr const char* kRetryWhenUnavailable = "5";

Value PlaceValue(const Place& place) {
  if (place.empty()) return {};
  return Value::Object{{"file", place.file},
                       {"line", std::int64_t{place.line}},
                       {"column", std::int64_t{place.column}},
                       {"pointer", place.pointer}};
}

}  // namespace

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kConflict:
    case ErrorCode::kDuplicate:
    case ErrorCode::kLeaseLost:
      return 409;
    case ErrorCode::kLimit:
      return 422;
    case ErrorCode::kRefused:
      return 502;  // by a provider or the store: who calls us is refused before anything is asked
    case ErrorCode::kUnavailable:
    case ErrorCode::kExhausted:
    case ErrorCode::kCancelled:
      return 503;
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      break;
  }
  return 500;
}

std::string_view TitleOf(int status) {
  switch (status) {
    case 400:
      return "The request is wrong";
    case 401:
      return "A token is needed";
    case 403:
      return "This is not allowed";
    case 404:
      return "There is no such thing";
    case 405:
      return "This method is not for this path";
    case 406:
      return "Only JSON can be had here";
    case 409:
      return "Something else got there first";
    case 413:
      return "The body is too large";
    case 414:
      return "The address is too long";
    case 415:
      return "Only JSON is read here";
    case 422:
      return "A bound was reached";
    case 429:
      return "Too many requests";
    case 502:
      return "Somebody else refused";
    case 503:
      return "Not available now";
    default:
      break;
  }
  return "An error inside of patra";
}

std::string_view TokenOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return "INVALID_INPUT";
    case ErrorCode::kNotFound:
      return "NOT_FOUND";
    case ErrorCode::kConflict:
      return "CONFLICT";
    case ErrorCode::kDuplicate:
      return "DUPLICATE";
    case ErrorCode::kLeaseLost:
      return "LEASE_LOST";
    case ErrorCode::kUnavailable:
      return "UNAVAILABLE";
    case ErrorCode::kRefused:
      return "REFUSED";
    case ErrorCode::kLimit:
      return "LIMIT";
    case ErrorCode::kExhausted:
      return "EXHAUSTED";
    case ErrorCode::kCorruption:
      return "CORRUPTION";
    case ErrorCode::kCancelled:
      return "CANCELLED";
    case ErrorCode::kInternal:
      break;
  }
  return "INTERNAL";
}

HttpAnswer ProblemOf(const Error& error) { return ProblemWith(StatusOf(error.code), error); }

HttpAnswer ProblemWith(int status, const Error& error) {
  Value::Array next;
  AppendSteps(error.message, next);
  AppendSteps(error.hint, next);
  const Value problem(Value::Object{{"type", "about:blank"},
                                    {"title", TitleOf(status)},
                                    {"status", status},
                                    {"code", TokenOf(error.code)},
                                    {"detail", error.message},
                                    {"hint", error.hint},
                                    {"place", PlaceValue(error.place)},
                                    {"next", std::move(next)}});
  HttpAnswer answer{
      .status = status, .content_type = "application/problem+json", .body = JsonOf(problem)};
  if (status == 503) answer.headers.emplace_back("Retry-After", kRetryWhenUnavailable);
  return answer;
}

HttpAnswer TooSoon(std::chrono::seconds wait, const std::string& why) {
  auto answer = ProblemWith(429, {ErrorCode::kUnavailable, why, {}, "wait as Retry-After says"});
  answer.headers.emplace_back("Retry-After", fmt::to_string(wait.count()));
  return answer;
}

}  // namespace patra::adapter::rest
