// Answers with what the test prepared and remembers what it was asked.
#pragma once

#include <atomic>
#include <map>

#include "adapter/cli/services.h"
#include "app/desk/desk_ports.h"
#include "tests/adapter/cli/fake_alerts.h"
#include "tests/adapter/cli/fake_healing.h"
#include "tests/adapter/cli/fake_ledger.h"
#include "tests/adapter/cli/fake_operations.h"
#include "tests/adapter/cli/fake_schedule.h"

namespace patra::adapter::cli {

class FakeGateKeys final : public app::GateKeys {
 public:
  Result<std::vector<app::GateKeyReport>> List() override { return keys; }
  std::string counts() const override { return "all processes on this store"; }
  Result<void> Reset(const std::string& key, const std::string& reason,
                     const domain::Actor&) override {
    reset_key = key;
    reset_reason = reason;
    if (key != "crossref") return Fail(ErrorCode::kNotFound, "the gate knows no such key");
    return {};
  }

  std::vector<app::GateKeyReport> keys;
  std::string reset_key;
  std::string reset_reason;
};

// Knows everything but "nope".
class FakeNames final : public app::Names {
 public:
  Result<void> CheckTarget(const std::string& source, const std::string& endpoint) override {
    if (source != "nope" && endpoint != "nope") return {};
    return Fail(ErrorCode::kInvalidInput, "there is no source 'nope'", {}, "did you mean 'demo'?");
  }
  Result<void> CheckState(std::string_view, const std::string& state) override {
    if (state != "nope") return {};
    return Fail(ErrorCode::kInvalidInput, "'nope' is no state of a task");
  }
};

class FakeRegistryMoves final : public app::RegistryMoves {
 public:
  Result<app::RegistryReport> Apply(const std::optional<std::string>&) override { return report; }
  Result<app::RegistryReport> Compare() override { return report; }
  Result<app::RegistryReport> Promote() override { return report; }
  Result<app::RegistryReport> Drop() override { return report; }
  Result<std::optional<app::RegisteredDefinition>> Find(const std::string&,
                                                        const std::string& known) override {
    if (known == found.version) return std::nullopt;
    return found;
  }
  Result<std::vector<app::DictionaryCode>> Codes() override {
    return std::vector<app::DictionaryCode>{
        {.type = "pagination_mode", .code = "TOKEN", .aliases = {"CURSOR"}}};
  }
  Result<std::vector<app::ExportedDefinition>> Export(const std::optional<std::string>&) override {
    return exported;
  }

  app::RegistryReport report;
  app::RegisteredDefinition found{.version = "7.0", .text = "source: demo\n"};
  std::vector<app::ExportedDefinition> exported{{"demo", "source: demo\n"}};
};

// Knows the token "patra_of_anna".
class FakeTokens final : public app::Tokens {
 public:
  Result<app::CreatedToken> Create(const app::TokenRequest& request,
                                   const domain::Actor&) override {
    created = request;
    return app::CreatedToken{.token = "patra_secret"};
  }
  Result<std::vector<app::TokenReport>> List() override {
    return std::vector<app::TokenReport>{{.name = "anna", .access = access, .created_at = {}}};
  }
  Result<void> Revoke(const std::string& name, const std::string&, const domain::Actor&) override {
    if (name != "anna") return Fail(ErrorCode::kNotFound, "there is no such token");
    return {};
  }
  Result<std::optional<app::TokenHolder>> HolderOf(std::string_view token) override {
    ++asked;
    if (token != "patra_of_anna") return std::nullopt;
    return app::TokenHolder{.name = "anna", .access = access};
  }

  app::TokenRequest created;
  domain::Access access = domain::Access::kViewer;
  std::atomic<int> asked = 0;
};

// As the use case does, without a day's end.
class FakeKeptAnswers final : public app::KeptAnswers {
 public:
  Result<app::RepeatBegun> Begin(const app::RepeatableRequest& request) override {
    const auto [found, is_new] = kept.try_emplace(request.caller + " " + request.key);
    if (is_new) {
      found->second.first = request.text;
      return app::RepeatBegun{};
    }
    if (found->second.first != request.text)
      return Fail(ErrorCode::kInvalidInput, "another request was sent under this key");
    if (!found->second.second && are_abandoned) return app::RepeatBegun{.is_taken_over = true};
    if (!found->second.second) return Fail(ErrorCode::kConflict, "this request is under way");
    return app::RepeatBegun{.before = *found->second.second};
  }
  Result<void> KeepAlive() override { return {}; }
  Result<void> Finish(const app::RepeatableRequest& request,
                      const app::KeptAnswer& answer) override {
    kept.at(request.caller + " " + request.key).second = answer;
    return {};
  }
  Result<void> Forget(const app::RepeatableRequest& request) override {
    kept.erase(request.caller + " " + request.key);
    return {};
  }

  std::map<std::string, std::pair<std::string, std::optional<app::KeptAnswer>>> kept;
  bool are_abandoned = false;
};

class FakeChanges final : public app::Changes {
 public:
  Result<contract::ChangePage> After(const std::string& place, const contract::ChangeFilter&,
                                     int) override {
    after = place;
    return page;
  }

  contract::ChangePage page;
  std::string after;
};

class FakeDesk final : public app::Desk {
 public:
  contract::ReadSide& read() override { return read_; }
  app::Names& names() override { return names_; }
  app::Verification& verification() override { return *verification_; }
  app::Changes& changes() override {
    return told_changes == nullptr ? fake_changes : *told_changes;
  }
  app::Corrections& corrections() override { return fake_corrections; }
  app::Quarantine& quarantine() override { return fake_quarantine; }
  app::Holds& holds() override { return fake_holds; }
  app::Signals& signals() override { return fake_signals; }
  app::Healing& healing() override { return fake_healing; }
  app::Alerts& alerts() override { return fake_alerts; }
  app::GateKeys& gate_keys() override { return fake_gate_keys; }
  app::RegistryMoves& registry_moves() override { return fake_registry; }
  app::Schedule& schedule() override { return fake_schedule; }
  app::Tokens& tokens() override { return fake_tokens; }
  app::KeptAnswers& kept_answers() override { return fake_answers; }
  std::string WithoutSecrets(const std::string& text) override {
    return text == "a secret" ? "***" : text;
  }

  FakeStore store;
  FakeChanges fake_changes;
  app::Changes* told_changes = nullptr;  // instead of the fake ones
  FakeCorrections fake_corrections{store};
  FakeQuarantine fake_quarantine;
  FakeHolds fake_holds;
  FakeSignals fake_signals;
  FakeHealing fake_healing;
  FakeAlerts fake_alerts;
  FakeGateKeys fake_gate_keys;
  FakeRegistryMoves fake_registry;
  FakeSchedule fake_schedule;
  FakeTokens fake_tokens;
  FakeKeptAnswers fake_answers;

 private:
  FakeReadSide read_{store};
  FakeNames names_;
  SystemClock clock_;
  std::unique_ptr<app::Verification> verification_ =
      app::MakeVerification(read_.completeness(), clock_);
};

// Knows one source.
class FakeLibrary final : public app::SourceLibrary {
 public:
  Result<std::vector<app::SourceSummary>> List() override {
    return std::vector<app::SourceSummary>{{.source = "demo", .name = "Demo", .file = "demo.yaml"}};
  }
  Result<app::SourceCheck> Check(const std::optional<std::string>&) override { return check; }
  Result<app::CompiledReport> Compile(const std::string& target,
                                      const std::vector<std::string>& overrides) override {
    return app::CompiledReport{
        .source = target,
        .snapshot = "{}",
        .origins = {
            {"retry.attempts", "5", "platform", ""},
            {"http.base_url", overrides.empty() ? "" : overrides.front(), "trigger", "--set"}}};
  }
  Result<std::vector<app::ExchangeReport>> Test(const std::string&) override { return exchanges; }
  Result<std::string> ReadDefinition(const std::string& source) override {
    return "source: " + source + "\n";
  }
  Result<app::DerivedSource> Derive(const std::string& base, const std::string& url,
                                    bool) override {
    return app::DerivedSource{.source = base + "-at-" + url.substr(url.rfind('/') + 1),
                              .file = "at.yaml",
                              .is_new = true};
  }
  Result<void> CheckName(const std::string& name) override {
    if (name.find(' ') == std::string::npos) return {};
    return Fail(ErrorCode::kInvalidInput, "this is not a name");
  }
  std::string Schema() override { return "{}\n"; }
  std::string Guide() override { return "# Definitions\n"; }

  app::SourceCheck check;
  std::vector<app::ExchangeReport> exchanges;
};

class FakeServices final : public Services {
 public:
  domain::Actor actor() const override { return {.name = "anna"}; }
  Result<std::shared_ptr<app::Desk>> OpenDesk(const StoreRequest& request) override {
    asked_store = request;
    return std::shared_ptr<app::Desk>(std::shared_ptr<void>(), &desk);
  }
  Result<std::shared_ptr<app::Operations>> OpenEngine(const EngineRequest& request) override {
    asked_engine = request;
    return std::shared_ptr<app::Operations>(std::shared_ptr<void>(), &operations);
  }
  std::unique_ptr<app::SourceLibrary> OpenLibrary(const std::string& folder) override {
    asked_folder = folder;
    return std::make_unique<FakeLibrary>(library);
  }
  Result<app::SettingsReport> Settings(const std::string& section,
                                       const std::string& configuration) override {
    if (section.empty()) {
      return app::SettingsReport{.configuration = configuration,
                                 .problems = problems,
                                 .settings = {{.name = "database",
                                               .value = configured_database,
                                               .usual = "patra.db",
                                               .doc = "the store",
                                               .origin = "patra.yaml:1"},
                                              {.name = "sources", .doc = "the folder"},
                                              {.name = "log.level", .value = "warn"},
                                              {.name = "log.format", .value = "auto"},
                                              {.name = "network.loopback", .value = "false"},
                                              {.name = "network.allowed"}}};
    }
    return app::SettingsReport{
        .configuration = configuration,
        .settings = {
            {.name = section + ".watch", .value = "6m", .usual = "5m", .doc = "how long"}}};
  }
  Result<DatabaseReport> MigrateDatabase(const std::string& database) override {
    asked_database = database;
    return migrated;
  }
  Result<DatabaseReport> CheckDatabase(const std::string& database) override {
    asked_database = database;
    return checked;
  }
  Result<void> BackUpDatabase(const std::string& database, const std::string& target) override {
    copied = database + " > " + target;
    return {};
  }
  Result<void> RestoreDatabase(const std::string& backup, const std::string& database) override {
    copied = backup + " > " + database;
    return {};
  }
  Result<contract::StorePromotion> PromoteDatabase(const PromotionRequest& request,
                                                   const OnPromotion&) override {
    copied = request.database + " > " + request.target;
    return promotion;
  }
  Result<std::string> GiveUpPromotion(const std::string& database) override {
    copied = database;
    return std::string("mysql://u@h/d");
  }
  Result<ServeReport> Serve(const ServeRequest& request, const OnServing& on_serving) override {
    serve_request = request;
    if (serve_error) return std::unexpected(*serve_error);
    on_serving({.database = request.engine.database, .roles = {"scheduler", "executor"}});
    return ServeReport{.signal = 15};
  }

  app::CheckupLines LookOver(const CheckupRequest& request) override {
    asked_store = request.store;
    return looked_over;
  }

  Result<DemoReport> Demo(const DemoRequest& request, const OnDemoProgress&) override {
    demo_request = request;
    return demo;
  }
  std::optional<int> StoppedBySignal() const override { return signal; }

  std::vector<Error> problems;  // of the configuration
  std::string configured_database = "patra.db";
  FakeDesk desk;
  FakeOperations operations;
  FakeLibrary library;
  StoreRequest asked_store;
  EngineRequest asked_engine;
  std::string asked_folder;
  std::string asked_database;
  std::string copied;
  std::optional<int> signal;
  DemoRequest demo_request;
  app::CheckupLines looked_over;
  ServeRequest serve_request;
  std::optional<Error> serve_error;
  Result<DemoReport> demo = DemoReport{};
  Result<DatabaseReport> migrated = DatabaseReport{.database = "p.db", .schema_after = 2};
  Result<contract::StorePromotion> promotion =
      contract::StorePromotion{.source = "a", .target = "b"};
  Result<DatabaseReport> checked = DatabaseReport{.database = "p.db", .schema_after = 2};
};

}  // namespace patra::adapter::cli
