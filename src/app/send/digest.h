// What the ledger keeps of an exchange, for people and for replay: enough to recognise it, no secret, and of content
// only how an answer begins that brought no page.
#pragma once

#include <optional>
#include <string>

#include "app/port/transport.h"
#include "app/send/redaction.h"
#include "base/value.h"
#include "domain/gate/gate_decision.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// How the permit of a request was come by.
struct PermitNote {
  std::string key;
  Duration waited{};
  domain::WaitReason reason = domain::WaitReason::kNone;
  std::int64_t cost = 1;
  bool was_rejected = false;
  domain::GateReading
      gate{};  // as the request found it, or as its answer left it where that was a complaint
  Instant read_at;
};

inline constexpr std::size_t kFirstBytesMax = 1024;

// `request` is the one without its credential; `credential_note` says where that went.
Value RequestDigest(const HttpRequest& request, const std::optional<std::string>& credential_note,
                    const Redactor& redactor);

// `response` is null where none came as a whole; then the error says why. `body_hash` is the SHA-256 of its
// body.
Value::Object ResponseDigest(const HttpResponse* response, const std::string& body_hash,
                             const std::optional<Error>& failure, const PermitNote& permit,
                             const domain::SpecSnapshot& spec, const Redactor& redactor);

// How a permit was come by, and how the gate stood.
Value RateDigest(const PermitNote& permit);

// What the answer said of a quota; null where it said nothing.
Value QuotaDigest(const domain::GateSignal& told, Instant received_at);

// Of an answer that is no page: its headers, and how its body begins.
Value HeadersDigest(const HttpHeaders& headers, const Redactor& redactor);
std::string FirstBytes(std::string_view body, const Redactor& redactor);

}  // namespace patra::app
