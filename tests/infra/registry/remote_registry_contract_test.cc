// What planners read of a registry, of a store's own and of one that another machine serves: the same cases on both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/rest/server.h"
#include "app/desk/desk_ports.h"
#include "domain/spec/compile_source.h"
#include "infra/curl/transport.h"
#include "infra/definitions/yaml_files.h"
#include "infra/registry/remote_registry.h"
#include "tests/adapter/cli/fake_services.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::remote_registry_contract_test {

using namespace std::chrono_literals;
using domain::DefinitionNode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kStart;

class NoBook final : public app::CredentialBook {
 public:
  Result<void> Note(const std::string&, const std::string&, std::string_view) override {
    return {};
  }
  Result<std::vector<app::SharedCredential>> Shared() override {
    return std::vector<app::SharedCredential>();
  }
};

// A real desk behind a real server.
class ServedStore final : public adapter::rest::Services {
 public:
  ServedStore(app::Store& store, app::DefinitionFiles& files, Clock& clock)
      : clock_(clock),
        mask_({.registry = store.registry(),
               .files = files,
               .secrets = secrets_,
               .redactor = redactor_,
               .clock = clock}),
        desk_(app::MakeDesk({.store = store,
                             .gate = {},
                             .book = book_,
                             .files = files,
                             .clock = clock,
                             .mask = mask_})) {}

  app::Desk& desk() override { return *desk_; }
  app::Desk& desk_for_changes() override { return *desk_; }
  app::Operations& operations() override { return operations_; }
  app::SourceLibrary& library() override { return library_; }
  const Clock& clock() const override { return clock_; }
  std::vector<std::string> NotReady() override { return {}; }
  std::string Metrics() override { return {}; }

 private:
  const Clock& clock_;
  NoBook book_;
  app::NoSecrets secrets_;
  app::Redactor redactor_;
  app::SecretMask mask_;
  std::unique_ptr<app::Desk> desk_;
  adapter::cli::FakeOperations operations_;
  adapter::cli::FakeLibrary library_;
};

class TokenAtHand final : public app::Secrets {
 public:
  Result<std::string> Resolve(std::string_view) override { return token; }
  std::string token;
};

class ReadRegistry : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!GetParam()) return;
    auto server = adapter::rest::Server::Start({.listen = "127.0.0.1:0"}, served_, real_clock_);
    ASSERT_TRUE(server) << server.error().Describe();
    server_ = *std::move(server);
    transport_ = *infra::curl::Transport::Create({.allow_loopback = true}, real_clock_);
    remote_.emplace(infra::registry::RemoteAddress{.url = server_->url(), .token = {}}, *transport_,
                    files_, secrets_);
  }

  app::Registry& reader() {
    return remote_ ? static_cast<app::Registry&>(*remote_) : ports_->store().registry();
  }

  static DefinitionNode Definition(const std::string& text) {
    auto checked =
        domain::CheckDefinition(infra::definitions::ParseYaml(text, "t.yaml").tree, nullptr);
    EXPECT_THAT(checked.problems, IsEmpty());
    return checked.tree;
  }

  void Apply(const std::string& text, Duration after = {}) {
    const auto applied =
        ports_->store().registry().Apply({.definitions = {Definition(text)}}, clock_.Now() + after);
    ASSERT_TRUE(applied) << applied.error().Describe();
  }

  app::RegisteredSource Read(const std::string& source) {
    auto found = reader().Find(source, clock_.Now(), "");
    EXPECT_TRUE(found) << found.error().Describe();
    return found && *found ? **std::move(found) : app::RegisteredSource();
  }

  // As planners compile it.
  static std::string FingerprintOf(const DefinitionNode& definition, const std::string& endpoint) {
    const auto checked = domain::CheckDefinition(definition, nullptr);
    EXPECT_THAT(checked.problems, IsEmpty());
    const auto compiled = domain::CompileSource({.definition = checked.tree, .endpoint = endpoint});
    EXPECT_TRUE(compiled);
    return compiled ? domain::SpecFingerprint(compiled->spec) : "";
  }

  VirtualClock clock_{kStart};
  SystemClock real_clock_;
  testing::SqliteBackend backend_;
  std::unique_ptr<testing::LedgerPorts> ports_ = backend_.Connect(clock_);
  infra::definitions::YamlFiles files_;
  TokenAtHand secrets_;
  ServedStore served_{ports_->store(), files_, clock_};
  std::unique_ptr<adapter::rest::Server> server_;
  std::unique_ptr<infra::curl::Transport> transport_;
  std::optional<infra::registry::RemoteRegistry> remote_;
};
INSTANTIATE_TEST_SUITE_P(Contract, ReadRegistry, ::testing::Values(false, true),
                         [](const auto& is_remote) { return is_remote.param ? "Remote" : "Sql"; });

constexpr const char* kDemo = R"yaml(
source: demo
name: Demo
lifecycle: draft
http: {base_url: "https://demo.example", headers: {B: b, A: a}}
limits: [{rate: 1/s}, {rate: 500/d, per: source}]
retry: {attempts: 5, first: 1s}
operations: {update: {retry: {attempts: 9}}}
endpoints:
  items:
    request: {path: /items, query: {page: "${page.number}", b: "1.0", a: "true"}}
    paging: {style: page, first_page: 1, size: 10}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: none}
    fields: {title: $.title}
)yaml";

TEST_P(ReadRegistry, ASourceCompilesToWhatWasApplied) {
  Apply(kDemo);
  const auto read = Read("demo");
  ASSERT_TRUE(read.definition);
  EXPECT_EQ(FingerprintOf(*read.definition, "items"), FingerprintOf(Definition(kDemo), "items"));
  EXPECT_EQ(domain::LifecycleOf(*read.definition), domain::Lifecycle::kDraft);
  EXPECT_FALSE(read.until);
}

TEST_P(ReadRegistry, ASourceThatIsNotThereHasNoDefinition) {
  EXPECT_FALSE(Read("demo").definition);
  EXPECT_FALSE(Read("de mo/../x?y").definition);
  EXPECT_NE(Read("demo").version, "");
}

TEST_P(ReadRegistry, WhoKnowsTheVersionIsToldNothingUntilItChanges) {
  Apply(kDemo);
  const auto version = Read("demo").version;
  const auto same = reader().Find("demo", clock_.Now(), version);
  ASSERT_TRUE(same) << same.error().Describe();
  EXPECT_FALSE(*same);
  clock_.Advance(1h);
  Apply("{source: demo, cost: 2}");
  const auto changed = reader().Find("demo", clock_.Now(), version);
  ASSERT_TRUE(changed && *changed);
  EXPECT_NE((*changed)->version, version);
  EXPECT_EQ((*changed)->definition->At("cost")->text, "2");
}

TEST_P(ReadRegistry, WhatIsAppliedAheadIsNamedAndReadInTime) {
  Apply("{source: demo, cost: 1}");
  Apply("{source: demo, cost: 2}", 1h);
  const auto before = Read("demo");
  EXPECT_EQ(before.until, clock_.Now() + 1h);
  EXPECT_EQ(before.definition->At("cost")->text, "1");
  clock_.Advance(1h);
  EXPECT_EQ(Read("demo").definition->At("cost")->text, "2");
}

TEST_P(ReadRegistry, AllOfItIsExportedAndNamed) {
  Apply(kDemo);
  Apply("{source: other, name: Other}");
  EXPECT_THAT(*reader().Names(clock_.Now()), ElementsAre("demo", "other"));
  const auto all = reader().Export(clock_.Now());
  ASSERT_TRUE(all) << all.error().Describe();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(FingerprintOf(all->front(), "items"), FingerprintOf(Definition(kDemo), "items"));
  EXPECT_THAT(*reader().Names(clock_.Now() - 1h), IsEmpty());
  EXPECT_EQ(*reader().Fields(), *ports_->store().registry().Fields());
}

TEST_P(ReadRegistry, TheDictionaryIsTheSame) {
  ports_->Execute("UPDATE sys_dict_item SET enabled = 0 WHERE item_code = 'URL'");
  const auto codes = reader().Codes();
  ASSERT_TRUE(codes) << codes.error().Describe();
  EXPECT_THAT(codes->EnabledOf("pagination_mode"), ElementsAre("PAGE", "OFFSET", "TOKEN", "TIME"));
  EXPECT_EQ(codes->ItemOf("pagination_mode", "cursor"), "TOKEN");
  EXPECT_EQ(codes->Check("pagination_mode", "URL").error().message,
            "pagination_mode 'URL' is disabled in the dictionary");
}

class ServedRegistry : public ReadRegistry {};
INSTANTIATE_TEST_SUITE_P(Contract, ServedRegistry, ::testing::Values(true),
                         [](const auto&) { return "Remote"; });

TEST_P(ServedRegistry, WhoAsksTheSameAgainIsAnsweredWithoutABody) {
  Apply(kDemo);
  const auto version = Read("demo").version;
  const auto ask = [&](const std::string& mark) {
    return *transport_->Send({.url = server_->url() + "/api/v1/registry/sources/demo",
                              .headers = {{"If-None-Match", mark}}});
  };
  const auto same = ask("\"" + version + "\"");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  EXPECT_EQ(*same.Header("etag"), "\"" + version + "\"");
  for (const auto* other : {"\"0.0\"", "*", "\"", "no mark", "W/\"7\""}) {
    EXPECT_EQ(ask(other).status, 200) << other;
  }
}

TEST_P(ServedRegistry, AWrongTokenIsRefused) {
  secrets_.token = "patra_of_nobody";
  infra::registry::RemoteRegistry registry({.url = server_->url(), .token = "env:T"}, *transport_,
                                           files_, secrets_);
  const auto refused = registry.Find("demo", clock_.Now(), "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_THAT(refused.error().Describe(), ::testing::Not(::testing::HasSubstr("patra_of_nobody")));
}

}  // namespace patra::remote_registry_contract_test
