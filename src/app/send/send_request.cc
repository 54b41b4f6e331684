#include "app/send/send_request.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/send/tell_gate.h"
#include "app/trace/trace_ids.h"
#include "base/base64.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/placement.h"
#include "base/quote.h"
#include "base/random.h"
#include "base/text_scanner.h"
#include "domain/gate/credential_choice.h"
#include "domain/gate/provider_signal.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

constexpr Duration kNoticeableWait = std::chrono::milliseconds(500);
constexpr Duration kTimeoutMax = std::chrono::seconds(120);

bool HasHeader(const HttpRequest& request, std::string_view name) {
  return domain::FindHeader(request.headers, name) != nullptr;
}

bool IsRedirect(int status) {
  constexpr auto kRedirects = std::to_array({301, 302, 303, 307, 308});
  return std::ranges::find(kRedirects, status) != kRedirects.end();
}

// Longer horizons count what is left of quotas, not what a few seconds allow.
Duration HorizonOf(const domain::GateRules& rules, Duration wait_max) {
  auto horizon = wait_max;
  for (const auto& limit : rules.limits) {
    if (limit.kind == domain::LimitKind::kQuota) horizon = std::max(horizon, limit.window);
  }
  return horizon;
}

void LearnProxy(const std::string& proxy, Redactor& redactor) {
  const auto scheme = proxy.find("://");
  const auto from = scheme == std::string::npos ? 0 : scheme + 3;
  const auto at = proxy.rfind('@');
  if (at == std::string::npos || at < from) return;
  const auto user_info = std::string_view(proxy).substr(from, at - from);
  redactor.Learn(user_info);
  redactor.Learn(user_info.substr(std::min(user_info.find(':') + 1, user_info.size())));
  redactor.Learn(Base64(user_info));
}

}  // namespace

Result<std::optional<std::size_t>> ChooseAmong(const std::vector<Credential>& credentials,
                                               domain::GateTarget target,
                                               const domain::GateRules& rules, RateGate& gate,
                                               const Clock& clock, domain::KeyOrder order,
                                               Duration wait_max) {
  // Nobody can be chosen, and nobody can be refused.
  if (credentials.size() == 1 && credentials[0].is_anonymous()) return 0;
  const auto horizon = HorizonOf(rules, wait_max);
  const bool has_quota = horizon > wait_max;
  std::vector<domain::CredentialState> states;
  for (const auto& credential : credentials) {
    target.credential = credential.name;
    domain::CredentialState state{.estimate = PATRA_TRY(gate.Estimate(target, rules, horizon))};
    if (has_quota) state.quota_left = state.estimate.permits;
    const auto standing = PATRA_TRY(gate.Estimate(target, RefusalRulesOf(rules), wait_max));
    if (standing.reason == domain::WaitReason::kRefused) state.estimate = standing;
    states.push_back(state);
  }
  return domain::ChooseCredential(states, clock.Elapsed(),
                                  order == domain::KeyOrder::kListed
                                      ? domain::CredentialOrder::kListed
                                      : domain::CredentialOrder::kEvenly);
}

Result<void> TakeOut(const SenderPorts& ports, const domain::GateTarget& target,
                     const domain::GateRules& rules, const domain::Lineage& lineage, int status) {
  const auto refusal = RefusalRulesOf(rules);
  ports.log.Write(LogLevel::kError, "credential.refused", lineage,
                  {{"source", target.provenance},
                   {"endpoint", target.endpoint},
                   {"credential", target.credential},
                   {"status", status},
                   {"gateKey", GateKey(refusal.feedback_scope, target)}});
  PATRA_TRY(ports.gate.Feedback(target, refusal, {.kind = domain::GateSignal::Kind::kRefused}));
  return {};
}

domain::GateSignal SignalOf(const Sent& sent) {
  auto signal = sent.response ? domain::ReadSignal(sent.response->status, sent.response->headers,
                                                   sent.response->received_at, sent.rules)
                              : domain::GateSignal{};
  signal.sent_at = sent.held.granted_at();
  signal.booked = sent.held.booking().booked;
  signal.delay = sent.delay;
  return signal;
}

SendRequest::SendRequest(const SenderPorts& ports, AccessTokens& tokens, AnswerBook& answers,
                         const std::string& product, const Outgoing& outgoing,
                         const OnGateWait& on_wait)
    : ports_(ports),
      tokens_(tokens),
      answers_(answers),
      product_(product),
      outgoing_(outgoing),
      on_wait_(on_wait),
      phase_(outgoing.is_detail ? domain::Phase::kDetail : domain::Phase::kSearch),
      endpoint_(fmt::format("{}/{}{}", outgoing.spec().provenance, outgoing.spec().endpoint,
                            outgoing.is_detail ? "/detail" : "")) {}

const domain::HttpSpec& SendRequest::http() const {
  return phase_ == domain::Phase::kDetail ? outgoing_.spec().details->http : outgoing_.spec().http;
}

Result<Sent> SendRequest::Run() {
  const auto& spec = outgoing_.spec();
  sent_.rules = outgoing_.source.RulesFor(phase_, {outgoing_.priority, ports_.clock.Now()});
  if (outgoing_.concurrency_max)
    sent_.rules = WithConcurrency(std::move(sent_.rules), *outgoing_.concurrency_max);
  PATRA_TRY(domain::Validate(sent_.rules));
  sent_.lineage = outgoing_.lineage;
  reach_ = PATRA_TRY(Reach::Of(http()));
  const auto parsed = ParseUrl(outgoing_.request.url);
  if (!parsed) {
    return std::unexpected(
        Error(parsed.error())
            .While(fmt::format("address {}", Quote(outgoing_.request.url.substr(0, 200)))));
  }
  const auto& url = *parsed;
  PATRA_TRY(reach_->Check(url));
  auto credentials = PATRA_TRY(CredentialsOf(spec.auth, ports_.secrets, ports_.redactor));
  WarnOfShort(credentials);
  const auto plain = PATRA_TRY(Prepare());

  // The source's own rules may know what a 401 means; then the key is judged with the whole answer.
  const bool is_plain_refusal = std::ranges::none_of(spec.errors, [](const auto& rule) {
    return std::ranges::any_of(
        rule.statuses, [](const auto& range) { return range.from <= 401 && 401 <= range.to; });
  });
  while (true) {
    const auto chosen = PATRA_TRY(ChooseAmong(credentials, outgoing_.source.TargetOf(phase_),
                                              sent_.rules, ports_.gate, ports_.clock,
                                              OrderOf(spec.auth), ports_.permit_wait_max));
    if (!chosen) {
      if (sent_.requests == 0) return Refused(credentials.back().name);
      FailWith(Refused(credentials.back().name).error());
      break;
    }
    const auto credential = credentials[*chosen];
    sent_.target = outgoing_.source.TargetOf(phase_, credential.name);
    NoteUse(credential);
    PATRA_TRY(RunAs(credential, plain));
    if (!IsRefusal() || credentials.size() == 1 || !is_plain_refusal) break;
    // Out for everybody; this request goes on with the next.
    PATRA_TRY(TakeOut(ports_, sent_.target, sent_.rules, sent_.lineage, 401));
    credentials.erase(credentials.begin() + static_cast<std::ptrdiff_t>(*chosen));
    PATRA_TRY(PassOn());
  }
  return Finish(plain);
}

// Everything but the credential.
Result<HttpRequest> SendRequest::Prepare() {
  auto request = outgoing_.request;
  const auto& spec = http();
  request.way.connect_timeout = std::min(spec.connect_timeout, kTimeoutMax);
  request.way.read_timeout = std::min(spec.read_timeout, kTimeoutMax);
  if (!outgoing_.is_last_try)
    request.way.read_timeout = PatienceFor(answers_.Find(endpoint_), request.way.read_timeout);
  request.way.total_timeout = std::min(spec.total_timeout, kTimeoutMax);
  request.way.compression = spec.compression;
  if (spec.proxy) {
    auto proxy = PATRA_TRY(ResolveText(*spec.proxy, ports_.secrets));
    if (!proxy) {
      return Fail(ErrorCode::kRefused, "the source's proxy is not set", {},
                  fmt::format("set {}", *spec.proxy));
    }
    LearnProxy(*proxy, ports_.redactor);
    request.way.proxy = *std::move(proxy);
  }
  if (!HasHeader(request, "User-Agent")) {
    const auto contact = spec.contact ? PATRA_TRY(ResolveText(*spec.contact, ports_.secrets))
                                      : std::optional<std::string>();
    request.headers.emplace_back("User-Agent",
                                 contact ? fmt::format("{} (+{})", product_, *contact) : product_);
  }
  return request;
}

Result<void> SendRequest::RunAs(const Credential& credential, const HttpRequest& plain) {
  if (outgoing_.spec().auth.type != domain::AuthType::kOauth2 || credential.is_anonymous())
    return Walk(credential, plain);
  auto bearer = PATRA_TRY(WithToken(credential, plain));
  if (!bearer) return {};
  PATRA_TRY(Walk(*bearer, plain));
  if (!IsRefusal()) return {};
  // It may have run out, or have been withdrawn: once, a new one is tried.
  tokens_.Drop(outgoing_.spec().auth, credential.client_id, bearer->secret);
  PATRA_TRY(PassOn());
  bearer = PATRA_TRY(WithToken(credential, plain));
  return bearer ? Walk(*bearer, plain) : Result<void>();
}

// From the first address to the last that redirects lead to.
Result<void> SendRequest::Walk(const Credential& credential, HttpRequest request) {
  auto url = PATRA_TRY(ParseUrl(request.url));
  for (int hops = 0;; ++hops) {
    auto hop = request;
    auto hop_url = url;
    sent_.carried_credential = false;
    if (reach_->IsHome(url)) {
      const auto note =
          PATRA_TRY(PutIn(credential, outgoing_.spec().auth, ports_.clock.Now(), hop, hop_url));
      if (hops == 0) credential_note_ = note;
      sent_.carried_credential = note.has_value();
    }
    hop.url = hop_url.Text();
    if (!PATRA_TRY(Exchange(std::move(hop)))) return {};
    auto next = RedirectOf(url, request, hops);
    if (!next) {
      PATRA_TRY(PassOn());
      FailWith(std::move(next).error());
      return {};
    }
    if (!*next) return {};
    PATRA_TRY(PassOn());
    url = **std::move(next);
    request.url = url.Text();
  }
}

// Where the answer leads, nothing where it is the last, and an error where it leads astray.
Result<std::optional<Url>> SendRequest::RedirectOf(const Url& from, const HttpRequest& request,
                                                   int hops) const {
  const auto& response = *sent_.response;
  const bool may_follow = request.method == "GET" || request.method == "HEAD";
  const auto* location = response.Header("Location");
  if (!IsRedirect(response.status) || !may_follow || hops >= http().redirects_max ||
      location == nullptr)
    return std::nullopt;
  const auto astray = [&](Error error) {
    return std::unexpected(
        std::move(error).While(fmt::format("redirect to {}", Quote(location->substr(0, 200)))));
  };
  const auto resolved = ResolveUrl(from, *location);
  if (!resolved) return astray(resolved.error());
  const auto& next = *resolved;
  if (const auto allowed = reach_->Check(next); !allowed) return astray(allowed.error());
  if (from.is_secure() && !next.is_secure())
    return Fail(ErrorCode::kInvalidInput, "the provider redirects from https to http");
  if (!reach_->IsHome(next) && ports_.redactor.Contains(next.Text())) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the provider redirects to {} with our credential in the address",
                            next.Origin()));
  }
  return next;
}

// One request on the wire. False where none went out or no whole answer came; sent_ says which.
Result<bool> SendRequest::Exchange(HttpRequest request) {
  const auto cost = CostOf(outgoing_.spec(), phase_);
  const domain::GateAsk ask{.cost = cost,
                            .deadline = ports_.permit_wait_max,
                            .priority = outgoing_.priority,
                            .task = static_cast<std::uint64_t>(outgoing_.lineage.task),
                            .is_retry = outgoing_.is_retry && sent_.requests == 0};
  const auto tell = [&](const domain::GateWait& wait) {
    if (wait.until - ports_.clock.Now() >= kNoticeableWait) on_wait_(wait);
  };
  auto awaited = PATRA_TRY(
      AwaitPermit(ports_.gate, ports_.clock, sent_.target, sent_.rules, ask, tell, ports_.stop));
  sent_.permit = {.key = GateKey(sent_.rules.feedback_scope, sent_.target),
                  .waited = sent_.permit.waited + awaited.waited,
                  .reason = awaited.reason,
                  .cost = cost,
                  .was_rejected = awaited.rejected.has_value(),
                  .gate = awaited.reading,
                  .read_at = ports_.clock.Now()};
  if (awaited.reason == domain::WaitReason::kQuota) NoteQuota(ports_, sent_, awaited.leaves_rest);
  if (awaited.is_stopped) {
    sent_.is_stopped = true;
    return false;
  }
  if (!awaited.permit && awaited.reason == domain::WaitReason::kRefused) {
    if (sent_.requests == 0) return Refused(sent_.target.credential);
    FailWith(Refused(sent_.target.credential).error());
    return false;
  }
  if (!awaited.permit) {
    sent_.parked = domain::GateWait{awaited.rejected->reason, awaited.rejected->until};
    return false;
  }
  if (outgoing_.dead_from && ports_.clock.Elapsed() >= *outgoing_.dead_from) {
    sent_.is_dead = true;
    return false;
  }
  sent_.held = *std::move(awaited.permit);
  SignForTraces(request);
  sent_.delay.reset();
  const auto sent_at = ports_.clock.Elapsed();
  sent_.sent_at = sent_at;
  auto response = ports_.transport.Send(request);
  if (!response) {
    const auto now = ports_.clock.Elapsed();
    if (now - sent_at >= request.way.read_timeout) answers_.NoteSilence(endpoint_, sent_at, now);
    FailWith(std::move(response).error());
    return false;
  }
  answers_.NoteAnswer(endpoint_, response->latency);
  const auto since_permit = ports_.clock.Elapsed() - sent_.held.granted_at();
  sent_.delay = since_permit - (response->latency - response->first_byte);
  sent_.response = *std::move(response);
  return true;
}

// Its trace is its run's, and it is a span of its own.
void SendRequest::SignForTraces(HttpRequest& request) {
  const auto& lineage = outgoing_.lineage;
  const auto batch_no = outgoing_.batch_no;
  sent_.batch_no = batch_no;
  sent_.span = SpanOfRequest(lineage.run, batch_no, ++sent_.requests, ports_.clock.Now());
  request.headers.emplace_back("X-Ingest-Correlation-Id",
                               fmt::format("ing-{}-{}", lineage.run, batch_no));
  request.headers.emplace_back("traceparent",
                               TraceParent(TraceOfRun(lineage.task, lineage.run), sent_.span));
}

// Done with an answer that is not the last one: the gate learns of it, and its place is free.
Result<void> SendRequest::PassOn() {
  auto signal = SignalOf(sent_);
  if (signal.kind == domain::GateSignal::Kind::kRefused)
    signal.kind = domain::GateSignal::Kind::kRejected;
  ports_.log.Write(LogLevel::kDebug, "request.passed_on", sent_.lineage,
                   SpanDetails(sent_, ports_.clock.Elapsed()));
  sent_.response.reset();
  sent_.held = {};
  return TellGate(ports_, sent_, signal);
}

std::unexpected<Error> SendRequest::Refused(const std::string& credential) const {
  const auto key = GateKey(RefusalRulesOf(sent_.rules).feedback_scope,
                           outgoing_.source.TargetOf(phase_, credential));
  return Fail(ErrorCode::kRefused, fmt::format("the provider refuses the credential {}", key), {},
              fmt::format("put it right, then `{}`", domain::NextStep("gate.reset", {key})));
}

// That it cannot be noted harms nobody's request; whoever asks for the status is told.
void SendRequest::NoteUse(const Credential& credential) const {
  if (ports_.book == nullptr || credential.is_anonymous()) return;
  const auto name = GateKey(domain::LimitScope::kCredential, sent_.target);
  (void)ports_.book->Note(name, sent_.target.host, credential.secret).has_value();
}

void SendRequest::WarnOfShort(const std::vector<Credential>& credentials) const {
  for (const auto& credential : credentials) {
    if (!ports_.redactor.IsNewlyShort(ConfidentialPart(credential, outgoing_.spec().auth)))
      continue;
    ports_.log.Write(LogLevel::kWarn, "credential.short", sent_.lineage,
                     {{"source", outgoing_.spec().provenance},
                      {"credential", credential.name},
                      {"reason", fmt::format("a secret of fewer than {} bytes is not replaced in "
                                             "records and raw pages: use a longer one",
                                             Redactor::kSecretInDataBytesMin)}});
  }
}

bool SendRequest::IsRefusal() const {
  return sent_.response && sent_.response->status == 401 && sent_.carried_credential;
}

void SendRequest::FailWith(Error error) {
  sent_.failure = ports_.redactor.RedactError(std::move(error));
}

Sent SendRequest::Finish(const HttpRequest& plain) {
  if (sent_.response) {
    sent_.response->held_secret = ports_.redactor.RedactBody(sent_.response->body);
    if (ports_.redactor.IsNewlyEchoed(sent_.response->body)) {
      ports_.log.Write(
          LogLevel::kWarn, "secret.echoed", sent_.lineage,
          {{"source", outgoing_.spec().provenance}, {"endpoint", outgoing_.spec().endpoint}});
    }
    sent_.body_hash = Sha256Hex(sent_.response->body);
    for (auto& [name, value] : sent_.response->headers) {
      if (ports_.redactor.RedactBody(value)) sent_.response->held_secret = true;
    }
  }
  sent_.request_digest = CanonicalJson(RequestDigest(plain, credential_note_, ports_.redactor));
  sent_.response_digest =
      ResponseDigest(sent_.response ? &*sent_.response : nullptr, sent_.body_hash, sent_.failure,
                     sent_.permit, outgoing_.spec(), ports_.redactor);
  return std::move(sent_);
}

}  // namespace patra::app
