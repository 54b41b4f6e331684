#include "app/execute/failure_code.h"

namespace patra::app {

std::string_view FailureCode(NoPage::Kind kind) {
  using enum NoPage::Kind;
  switch (kind) {
    case kExhausted:
      return "RETRIES_EXHAUSTED";
    case kWrong:
      return "REQUEST_WRONG";
    case kFatal:
      return "ACCESS_REFUSED";
    case kStartOver:
      return "POSITION_LOST";
    case kTooLarge:
      return "ANSWER_TOO_LARGE";
    case kIsolated:
      return "ANSWER_ISOLATED";
    case kUnproven:
      return "UNPROVEN";
    case kGap:
      return "GAP";
    case kEarly:
      return "EARLY";
    case kFailing:
      return "TOO_MANY_FAILURES";
    case kParked:
    case kStopped:
    case kSpent:
      break;
  }
  return "NONE";
}

domain::ErrorLevel LevelOf(NoPage::Kind kind) {
  using enum NoPage::Kind;
  switch (kind) {
    case kFatal:
      return domain::ErrorLevel::kL4;
    case kUnproven:
      return domain::ErrorLevel::kL3;
    case kWrong:
      return domain::ErrorLevel::kL2;
    case kEarly:
      return domain::ErrorLevel::kNone;
    default:
      return domain::ErrorLevel::kL1;
  }
}

}  // namespace patra::app
