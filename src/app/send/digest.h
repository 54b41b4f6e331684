// What the ledger keeps of an exchange, for people and for replay: enough to recognise it, no secret, no
// content.
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
};

// `request` is the one without its credential; `credential_note` says where that went.
Value RequestDigest(const HttpRequest& request, const std::optional<std::string>& credential_note,
                    const Redactor& redactor);

// `response` is null where none came as a whole; then the error says why. `body_hash` is the SHA-256 of its
// body.
Value ResponseDigest(const HttpResponse* response, const std::string& body_hash,
                     const std::optional<Error>& failure, const PermitNote& permit,
                     const domain::SpecSnapshot& spec);

}  // namespace patra::app
