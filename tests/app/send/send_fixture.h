// A sender on a real gate and a clock that moves when somebody sleeps, with a provider made of a function.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/send/sender.h"
#include "infra/gate/rate_gate.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::testing {

class ScriptedTransport final : public app::Transport {
 public:
  using Script = std::function<Result<app::HttpResponse>(const app::HttpRequest&)>;

  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    const std::lock_guard lock(mutex_);
    requests.push_back(request);
    return script(request);
  }

  Script script = [](const auto&) { return app::HttpResponse{.status = 200, .body = "{}"}; };
  std::vector<app::HttpRequest> requests;

 private:
  std::mutex mutex_;
};

class PlainSecrets final : public app::Secrets {
 public:
  Result<std::string> Resolve(std::string_view reference) override {
    const auto found = values.find(std::string(reference));
    if (found == values.end()) return Fail(ErrorCode::kNotFound, "not set");
    return found->second;
  }

  std::map<std::string, std::string> values;
};

struct LogLine {
  app::LogLevel level;
  std::string event;
  domain::Lineage lineage;
  Value::Object details;
};

class RecordingLog final : public app::Log {
 public:
  void Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override {
    auto& told = level == app::LogLevel::kDebug ? counted : lines;
    told.push_back({level, std::string(event), lineage, details});
  }

  std::vector<LogLine> lines;
  std::vector<LogLine> counted;  // what is of no interest but to those who count
};

inline std::string HeaderOf(const app::HttpRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return {};
}

class SenderTest : public ::testing::Test {
 protected:
  Result<app::Sent> Send(std::string url = "https://api.example.org/items?q=1") {
    return SendRequest({.url = std::move(url)});
  }
  Result<app::Sent> SendRequest(app::HttpRequest request, bool is_detail = false) {
    const auto source = domain::CompiledSource::Compile(spec_).value();
    return sender_.Send({.source = source,
                         .is_detail = is_detail,
                         .request = std::move(request),
                         .lineage = {.task = 4, .run = 5},
                         .batch_no = 7},
                        [](const domain::GateWait&) {});
  }
  // Judges by the status alone, and tells the gate.
  void Settle(app::Sent& sent) {
    const auto verdict = sent.response ? domain::JudgeAnswer({.status = sent.response->status,
                                                              .headers = sent.response->headers,
                                                              .received_at = clock_.Now()},
                                                             spec_.retry)
                                       : domain::JudgeFailure(*sent.failure, spec_.retry);
    ASSERT_TRUE(sender_.Settle(sent, verdict));
  }
  app::GateStatus StatusOf(const std::string& key) {
    const auto list = *gate_->List();
    for (const auto& status : list) {
      if (status.key == key) return status;
    }
    ADD_FAILURE() << "the gate knows no " << key;
    return {};
  }

  TemporaryFolder folder_;
  PlainGateLedger ledger_;
  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  std::unique_ptr<infra::gate::RateGate> gate_ =
      *infra::gate::RateGate::Open(folder_.Path("gate"), ledger_, clock_);
  ScriptedTransport transport_;
  PlainSecrets secrets_;
  app::Redactor redactor_;
  RecordingLog log_;
  app::Sender sender_{{*gate_, transport_, clock_, secrets_, redactor_, log_}, "patra/1.2"};
  domain::SpecSnapshot spec_{.provenance = "demo",
                             .endpoint = "items",
                             .http = {.base_url = "https://api.example.org"},
                             .response = {.items = "$.items"},
                             .limits = {{.rate = domain::RateSpec{.requests = 10},
                                         .per = domain::RateScope::kCredential}}};
};

}  // namespace patra::testing
