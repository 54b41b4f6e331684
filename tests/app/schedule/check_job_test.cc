#include "app/schedule/check_job.h"

#include <gmock/gmock.h>

#include "app/schedule/job_file.h"
#include "infra/definitions/yaml_files.h"

namespace patra::app::check_job_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

class CheckJobTest : public ::testing::Test {
 protected:
  // The fields in which something is wrong.
  std::vector<std::string> WrongIn(const JobRequest& request) {
    const auto checked = CheckJob(request, before_, Scene());
    std::vector<std::string> fields;
    told_.clear();
    if (checked) return fields;
    for (const auto& [field, error] : checked.error()) {
      fields.push_back(field);
      told_ += error.Describe() + "\n";
    }
    return fields;
  }
  domain::Job Checked(const JobRequest& request) {
    const auto checked = CheckJob(request, before_, Scene());
    for (const auto& problem : checked ? std::vector<JobProblem>{} : checked.error())
      ADD_FAILURE() << problem.field << ": " << problem.error.Describe();
    return checked.value_or(domain::Job{});
  }
  JobScene Scene() const { return {.definitions = definitions_, .now = now_, .origin = origin_}; }

  std::vector<domain::DefinitionNode> definitions_{
      infra::definitions::ParseYaml(kBooks, "books.yaml").tree};
  Instant now_ = *ParseRfc3339("2026-01-01T12:00:00Z");
  domain::JobOrigin origin_ = domain::JobOrigin::kPerson;
  std::optional<domain::Job> before_;
  std::string told_;
};

TEST_F(CheckJobTest, ANewJobHarvestsInUtc) {
  const auto job = Checked({.id = "nightly", .target = "books/books", .cron = "30 2 * * *"});
  EXPECT_EQ(job.Target(), "books/books");
  EXPECT_EQ(job.operation, domain::Operation::kHarvest);
  EXPECT_EQ(job.timezone, "UTC");
  EXPECT_TRUE(job.enabled && job.decided);
  EXPECT_EQ(job.next_fire_at, ParseRfc3339("2026-01-02T02:30:00Z").value());
}

TEST_F(CheckJobTest, AllThatIsWrongComesAtOnceWithWhatMayBeMeant) {
  EXPECT_THAT(WrongIn({.id = "a b",
                       .target = "boks",
                       .cron = "61 * * * *",
                       .timezone = "UTC",
                       .arguments = R"({"form": "-7d"})",
                       .misfire = "never",
                       .jitter = "2d"}),
              ElementsAre("job", "misfire", "jitter", "arguments.form", "cron", "source"));
  EXPECT_THAT(told_, HasSubstr("did you mean 'from'?"));
  EXPECT_THAT(told_, HasSubstr("did you mean 'books'?"));
  EXPECT_THAT(WrongIn({.id = "a"}), ElementsAre("source", "cron"));
  EXPECT_THAT(WrongIn({.id = "a", .target = "books/bocks", .cron = "@daily"}),
              ElementsAre("source"));
  EXPECT_THAT(WrongIn({.id = "a", .target = "books", .cron = "@daily", .timezone = "Europe/Berln"}),
              ElementsAre("timezone"));
  EXPECT_THAT(WrongIn({.id = "a", .target = "books", .operation = "harvst", .cron = "@daily"}),
              ElementsAre("operation"));
  EXPECT_THAT(told_, HasSubstr("did you mean 'harvest'?"));
  EXPECT_THAT(WrongIn({.id = "a", .target = "books", .cron = "0 0 30 2 *"}), ElementsAre("cron"));
  EXPECT_THAT(told_, HasSubstr("never comes"));
}

struct Arguments {
  const char* operation;
  const char* json;
  std::string wrong;  // in which field; empty: nothing is
};

TEST_F(CheckJobTest, ArgumentsAreThoseOfTheOperation) {
  for (const auto& [operation, json, wrong] : std::initializer_list<Arguments>{
           {"harvest", R"({"from":"-7d","page_size":5,"priority":1,"rate":"1/s"})", ""},
           {"harvest", R"({"max_requests":10,"at_once":2,"spread":"1h"})", ""},
           {"harvest", R"({"set":{"retry.attempts":2}})", ""},
           {"harvest", R"({"set":["retry.attempts=2"]})", ""},
           {"harvest", R"({"set":["retry.atempts=2"]})", "arguments"},
           {"harvest", R"({"set":"retry"})", "arguments.set"},
           {"harvest", R"({"stale":"30d"})", "arguments.stale"},
           {"harvest", R"({"from":"yesterday"})", "arguments.from"},
           {"harvest", R"({"priority":10})", "arguments.priority"},
           {"harvest", R"({"rate":"fast"})", "arguments.rate"},
           {"harvest", R"([1])", "arguments"},
           {"harvest", R"({)", "arguments"},
           {"backfill", R"({"gaps":true})", ""},
           {"backfill", R"({"auto":true,"until":"2020-01-01","step":"7d"})", ""},
           {"backfill", R"({"from":"-7d","to":"-1d"})", ""},
           {"backfill", R"({})", "arguments"},
           {"backfill", R"({"gaps":true,"auto":true})", "arguments"},
           {"backfill", R"({"gaps":1})", "arguments.gaps"},
           {"backfill", R"({"auto":true,"step":"0s"})", "arguments.step"},
       }) {
    const auto wrong_in = WrongIn({.id = "a",
                                   .target = "books",
                                   .operation = operation,
                                   .cron = "@daily",
                                   .arguments = json});
    if (wrong.empty()) {
      EXPECT_THAT(wrong_in, IsEmpty()) << json << told_;
    } else {
      EXPECT_THAT(wrong_in, ElementsAre(wrong)) << json << told_;
    }
  }
}

TEST_F(CheckJobTest, WhatIsNotNamedStaysAsItIs) {
  before_ = Checked({.id = "a", .target = "books", .cron = "@every 6h"});
  before_->version = 3;
  now_ += 1h;
  const auto changed = Checked({.id = "a", .jitter = "10m"});
  EXPECT_EQ(changed.cron, "@every 6h");
  EXPECT_EQ(changed.next_fire_at, before_->next_fire_at) << "its steps go on";
  EXPECT_EQ(changed.version, 3);
  EXPECT_NE(Checked({.id = "a", .cron = "@every 4h"}).next_fire_at, before_->next_fire_at);
}

TEST_F(CheckJobTest, AJobIsTurnedOffAndOn) {
  before_ = Checked({.id = "a", .target = "books", .cron = "@daily"});
  const auto off = Checked({.id = "a", .enabled = false, .reason = "too dear"});
  EXPECT_FALSE(off.enabled || off.next_fire_at);
  EXPECT_EQ(off.disabled_reason, "too dear");
  before_ = off;
  EXPECT_FALSE(Checked({.id = "a", .jitter = "1m"}).enabled);
  const auto on = Checked({.id = "a", .enabled = true});
  EXPECT_TRUE(on.enabled && on.next_fire_at);
  EXPECT_EQ(on.disabled_reason, "");
}

TEST_F(CheckJobTest, NoJobIsMadeForARetiredSource) {
  const JobRequest nightly{.id = "nightly", .target = "books", .cron = "30 2 * * *"};
  definitions_.front().Set("lifecycle", domain::DefinitionNode::Text("draft"));
  EXPECT_THAT(WrongIn(nightly), IsEmpty()) << "somebody asks for it";
  definitions_.front().Set("lifecycle", domain::DefinitionNode::Text("retired"));
  EXPECT_THAT(WrongIn(nightly), ElementsAre("source"));
  EXPECT_THAT(told_, HasSubstr("'books' is retired"));
}

TEST_F(CheckJobTest, ARemovedDefaultIsMadeAnew) {
  before_ = domain::Job{.id = "books",
                        .provenance = "books",
                        .operation = domain::Operation::kUpdate,
                        .cron = "@daily",
                        .origin = domain::JobOrigin::kDefault,
                        .removed_at = now_,
                        .version = 4};
  EXPECT_THAT(WrongIn({.id = "books"}), ElementsAre("source", "cron"));
  const auto job = Checked({.id = "books", .target = "books", .cron = "@daily"});
  EXPECT_EQ(job.operation, domain::Operation::kHarvest);
  EXPECT_EQ(job.version, 4);
  EXPECT_FALSE(job.removed_at);
}

class JobFileTest : public CheckJobTest {
 protected:
  static JobFile Read(const std::string& text) {
    return ReadJobFile(infra::definitions::ParseYaml(text, "jobs.yaml"));
  }
  static std::vector<std::string> Problems(const JobFile& file) {
    std::vector<std::string> told;
    for (const auto& problem : file.problems) told.push_back(problem.place.Describe());
    return told;
  }
};

TEST_F(JobFileTest, SaysWhereWhatIsWrong) {
  EXPECT_THAT(Problems(Read("jobs:\n- job: a\n  sorce: books\n  cron: '@daily'\n")),
              ElementsAre(HasSubstr("jobs.yaml:3:3")));
  EXPECT_THAT(
      Problems(Read("jobs:\n- {job: a, source: b, cron: c}\n- {job: a, source: b, cron: c}\n")),
      ElementsAre(HasSubstr("jobs.yaml:3:3")));
  EXPECT_THAT(Problems(Read("")), ElementsAre("jobs.yaml"));
  EXPECT_THAT(Problems(Read("jobs: [")), ElementsAre(HasSubstr("jobs.yaml:")));
  const auto file =
      Read("jobs:\n- job: a\n  source: books\n  cron: '@daily'\n  arguments:\n    form: -7d\n");
  ASSERT_EQ(file.jobs.size(), 1u);
  const auto checked = CheckJob(file.jobs[0].request, {}, Scene());
  ASSERT_FALSE(checked);
  EXPECT_EQ(file.jobs[0].Placed(checked.error().at(0)).place.line, 6);
}

TEST_F(JobFileTest, IsReadAsItWasWritten) {
  origin_ = domain::JobOrigin::kFile;
  std::vector<domain::Job> jobs{
      Checked({.id = "plain", .target = "books", .cron = "30 2 * * *"}),
      Checked({.id = "all",
               .target = "books/books",
               .operation = "backfill",
               .cron = "@every 6h",
               .timezone = "Europe/Berlin",
               .arguments = R"({"auto":true,"step":"7d","set":{"retry.attempts":2},"priority":9})",
               .misfire = "skip",
               .jitter = "10m",
               .enabled = false})};
  const auto text = infra::definitions::YamlFiles().Print(JobFileOf(jobs));
  const auto file = Read(text);
  ASSERT_EQ(file.jobs.size(), 2u) << text;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto read = CheckJob(file.jobs[i].request, {}, Scene());
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(AreAlike(*read, jobs[i])) << text;
  }
}

TEST_F(CheckJobTest, AWindowThatEndsBeforeItBeginsWheneverItFiresIsRefused) {
  const auto wrong = [&](const std::string& from, const std::string& to) {
    return !WrongIn({.id = "a",
                     .target = "books/books",
                     .cron = "@daily",
                     .arguments = fmt::format(R"({{"from": "{}", "to": "{}"}})", from, to)})
                .empty();
  };
  EXPECT_TRUE(wrong("2026-02-01", "2026-01-01"));
  EXPECT_THAT(told_, HasSubstr("before it begins"));
  EXPECT_TRUE(wrong("2026-02-01", "2026-02-01"));
  EXPECT_TRUE(wrong("-1d", "-7d"));
  EXPECT_FALSE(wrong("-7d", "-1d"));
  EXPECT_FALSE(wrong("2026-06-01", "-1d")) << "it is well from June on";
}

}  // namespace patra::app::check_job_test
