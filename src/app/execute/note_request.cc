#include "app/execute/note_request.h"

#include <utility>

namespace patra::app {

void NoteSent(const Sent& sent, domain::Evidence& evidence) {
  evidence.sent.requests += sent.requests;
  evidence.sent.waited += sent.permit.waited;
  if (sent.requests == 0) return;
  evidence.request = sent.request_digest;
  evidence.status = sent.response ? sent.response->status : 0;
  evidence.latency = sent.response ? sent.response->latency : Duration::zero();
  evidence.sent.latency += evidence.latency;
  if (!sent.target.credential.empty()) evidence.credential = sent.target.credential;
}

void NoteParked(const Sent& sent, domain::Evidence& evidence) {
  evidence.sent.met += sent.met;
  auto rate = RateDigest(sent.permit);
  if (sent.parked) {
    rate["until"] = FormatRfc3339(sent.parked->until);
    rate["reason"] = Name(sent.parked->reason);
  }
  evidence.response["parked"] = std::move(rate);
}

void NoteAnswer(Sent& sent, const domain::Verdict& verdict, const AnswerPlace& place,
                domain::Evidence& evidence) {
  evidence.sent.met += sent.met;
  evidence.response = std::move(sent.response_digest);
  if (verdict.is_throttled) ++evidence.sent.throttled;
  // Who does not wait for the rest of an answer says nothing about it.
  const bool is_failure =
      verdict.level != domain::ErrorLevel::kNone && verdict.failure != ErrorCode::kCancelled;
  if (!is_failure) return;
  NoteFailure(place, verdict.level, verdict.reason, evidence.status, evidence);
}

void NoteFailure(const AnswerPlace& place, domain::ErrorLevel level, const std::string& reason,
                 int status, domain::Evidence& evidence) {
  evidence.sent.CountFailed(level);
  evidence.failures.Add({.at = place.at,
                         .batch_no = place.batch_no,
                         .level = level,
                         .status = status,
                         .reason = reason});
}

void NoteRetry(Duration wait, domain::Evidence& evidence) {
  ++evidence.sent.retries;
  evidence.sent.backed_off += wait;
  if (!evidence.failures.empty()) evidence.failures.newest().backed_off = wait;
}

}  // namespace patra::app
