// The account that plans and works may read the registry and not write it, as docs/scaling.md grants it.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/desk/desk_ports.h"
#include "app/plan/planner.h"
#include "app/source/source_catalog.h"
#include "infra/definitions/yaml_files.h"
#include "tests/app/plan/plan_ports_of.h"
#include "tests/infra/mysql/mysql_backend.h"
#include "tests/temporary_folder.h"

namespace patra::read_only_registry_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kBooks = R"yaml(
source: books
http: {base_url: "https://books.example"}
limits: [{rate: 1/s}]
endpoints:
  books:
    request: {path: /books, query: {from: "${window.from}", to: "${window.to}", page: "${page.number}"}}
    paging: {style: page, first_page: 1, size: 10}
    window: {by: updated, start: 2026-01-01, width: 1d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: {title: $.title}
)yaml";

class ReadOnlyRegistry : public ::testing::Test {
 protected:
  void SetUp() override {
    Define(kBooks);
    admin_ = *testing::MysqlPorts::Open(testing::AddressOf(database_.name()), clock_);
    const auto content = app::LoadForRegistry(files_, folder_.Path(""))->content;
    ASSERT_TRUE(admin_->store().registry().Apply(content, clock_.Now()));
    service_ = *testing::MysqlPorts::Open(ServiceAccount(), clock_);
  }
  void TearDown() override {
    service_.reset();
    admin_.reset();
    testing::TestServer::At(testing::AddressOf("mysql")).Run("DROP USER " + User());
  }

  std::string User() const { return "reader_" + database_.name(); }

  // The commands of docs/scaling.md, for this database and this user.
  infra::mysql::Address ServiceAccount() {
    std::ifstream file(std::string(PATRA_SOURCE_DIR) + "/docs/scaling.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto begin = text.find("CREATE USER patra_service");
    EXPECT_NE(begin, std::string::npos);
    auto sql = text.substr(begin, text.find("```", begin) - begin);
    const auto put = [&](const std::string& what, const std::string& by) {
      for (auto at = sql.find(what); at != std::string::npos; at = sql.find(what, at + by.size()))
        sql.replace(at, what.size(), by);
    };
    put("patra_service", User());
    put("patra.", database_.name() + ".");
    put("'patra'", "'" + database_.name() + "'");
    put("…", "only-to-try");
    auto server = testing::TestServer::At(testing::AddressOf("mysql"));
    const auto grants = sql.find("SELECT CONCAT");
    server.Run("DROP USER IF EXISTS " + User() + "; " + sql.substr(0, grants));
    const auto select =
        sql.substr(grants, sql.find(';', sql.find("NOT LIKE 'sys", grants)) - grants);
    int granted = 0;
    for (const auto& grant : server.List(select)) {
      server.Run(grant);
      ++granted;
    }
    EXPECT_GT(granted, 30);
    auto address = testing::AddressOf(database_.name());
    address.user = User();
    address.password = "only-to-try";
    return address;
  }

  void Define(const std::string& text) { std::ofstream(folder_.Path("books.yaml")) << text; }

  app::PlanReport Plan(app::PlanRequest request) {
    app::Planner planner(app::PortsOf(*service_, clock_, service_->ids()),
                         service_->store().registry(), files_);
    request.source.target = "books";
    request.sources_folder = folder_.Path("");
    const auto report = planner.Run(request);
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(app::PlanReport());
  }

  testing::TemporaryFolder folder_;
  infra::definitions::YamlFiles files_;
  VirtualClock clock_{testing::kStart + std::chrono::days(3)};
  testing::TestDatabase database_;
  std::unique_ptr<testing::MysqlPorts> admin_;
  std::unique_ptr<testing::MysqlPorts> service_;
};

TEST_F(ReadOnlyRegistry, AServicePlansByIt) {
  const auto report = Plan({.reads_registry = true});
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.planned.kind, app::Planned::Kind::kCreated);
  const auto claimed = service_->queue().Claim({.owner = "w",
                                                .tasks_max = 1,
                                                .lease = std::chrono::seconds(15),
                                                .running_per_lane_max = 10});
  ASSERT_TRUE(claimed) << claimed.error().Describe();
  EXPECT_EQ(claimed->size(), 1u) << "what an executor writes may be written";
}

TEST_F(ReadOnlyRegistry, ACommandPlansByItAndNamesWhatOfTheFolderIsNotApplied) {
  EXPECT_THAT(Plan({}).warnings, Not(Contains(HasSubstr("not applied")))) << "nothing differs";
  std::string changed = kBooks;
  changed.replace(changed.find("size: 10"), 8, "size: 20");
  Define(changed);
  app::PlanRequest again;
  again.options.again = true;
  const auto report = Plan(again);
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.applied, IsEmpty());
  EXPECT_EQ(report.planned.kind, app::Planned::Kind::kCreated);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("1 change of the folder is not applied")));
  EXPECT_THAT(
      report.warnings,
      Contains("not applied: books/books reg_prov_pagination_cfg.page_size_value: 10 -> 20"));
  EXPECT_EQ(admin_->Count("SELECT count(*) FROM reg_prov_pagination_cfg"), 1);
}

class NoBook final : public app::CredentialBook {
 public:
  Result<void> Note(const std::string&, const std::string&, std::string_view) override {
    return {};
  }
  Result<std::vector<app::SharedCredential>> Shared() override {
    return std::vector<app::SharedCredential>();
  }
};

TEST_F(ReadOnlyRegistry, ApplyingIsRefusedAndSaysWhichAccountMay) {
  Define(std::string(kBooks) + "name: Books\n");
  clock_.Advance(std::chrono::seconds(1));
  NoBook book;
  app::NoSecrets secrets;
  app::Redactor redactor;
  const auto apply = [&](testing::MysqlPorts& ports) {
    app::SecretMask mask({.registry = ports.store().registry(),
                          .files = files_,
                          .secrets = secrets,
                          .redactor = redactor,
                          .clock = clock_});
    return app::MakeRegistryMoves({.store = ports.store(),
                                   .gate = {},
                                   .book = book,
                                   .files = files_,
                                   .sources_folder = folder_.Path(""),
                                   .clock = clock_,
                                   .mask = mask})
        ->Apply({});
  };
  const auto refused = apply(*service_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_THAT(refused.error().hint, HasSubstr("apply with the one that migrates the store"));
  EXPECT_EQ(admin_->Count("SELECT count(*) FROM reg_provenance WHERE provenance_name IS NOT NULL"),
            0);
  const auto applied = apply(*admin_);
  ASSERT_TRUE(applied) << applied.error().Describe();
  EXPECT_EQ(applied->changes.size(), 1u);
}

}  // namespace patra::read_only_registry_test
