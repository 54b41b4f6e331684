#include "domain/spec/compile_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "infra/definitions/yaml_files.h"

namespace patra::domain::compile_source_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kSimple = R"yaml(
source: demo
http: {base_url: https://api.example.org}
limits: [{rate: 3/s}]
endpoints:
  items:
    request: {path: /items, query: {from: "${window.from}", to: "${window.to}", page: "${page.number}"}}
    paging: {style: page, first_page: 1, size_max: 1000}
    window: {start: 2024-01-01, width: 1h..1d, settles: true}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: {title: $.title}
)yaml";

// The simple definition with a piece of YAML merged over it. Its request says its place as the style of paging wants it.
DefinitionNode Definition(const std::string& changes = "") {
  const auto over = infra::definitions::ParseYaml(changes, "changes.yaml");
  EXPECT_THAT(over.problems, IsEmpty());
  std::string simple(kSimple);
  const auto* style = over.tree.At("endpoints.items.paging.style");
  const auto at = simple.find(", page: \"${page.number}\"");
  if (style != nullptr && style->text != "page") {
    const auto place = style->text == "offset"  ? ", page: \"${page.offset}\""
                       : style->text == "token" ? ", page: \"${page.token}\""
                                                : "";
    simple.replace(at, std::string(", page: \"${page.number}\"").size(), place);
  }
  const auto base = infra::definitions::ParseYaml(simple, "demo.yaml");
  return changes.empty() ? base.tree : Merge(base.tree, over.tree);
}

struct Outcome {
  std::vector<Error> problems;
  std::vector<Error> warnings;
  std::optional<CompiledDefinition> compiled;
};

Outcome Compile(const std::string& changes = "", Operation operation = Operation::kHarvest,
                const std::vector<std::string>& trigger = {}) {
  const auto checked = CheckDefinition(Definition(changes), nullptr);
  auto over = DefinitionNode::Map();
  for (const auto& assignment : trigger) over = Merge(over, *ParseOverride(assignment));
  auto compiled = CompileSource(
      {.definition = checked.tree, .endpoint = "items", .operation = operation, .trigger = over});
  Outcome outcome{.problems = checked.problems};
  if (compiled) {
    outcome.warnings = compiled->warnings;
    outcome.compiled = *std::move(compiled);
  } else {
    outcome.problems.insert(outcome.problems.end(), compiled.error().begin(),
                            compiled.error().end());
  }
  return outcome;
}

SpecSnapshot Spec(const std::string& changes = "") {
  const auto outcome = Compile(changes);
  EXPECT_THAT(outcome.problems, IsEmpty());
  return outcome.compiled->spec;
}

const Origin& OriginOf(const CompiledDefinition& compiled, std::string_view path) {
  for (const auto& origin : compiled.origins) {
    if (origin.path == path) return origin;
  }
  ADD_FAILURE() << "no " << path;
  return compiled.origins.front();
}

TEST(CompileSource, FillsInWhatASimpleDefinitionLeavesOpen) {
  const auto spec = Spec();
  EXPECT_EQ(spec.provenance, "demo");
  EXPECT_EQ(spec.paging.size, 800) << "80 % of what the provider allows";
  EXPECT_THAT(spec.paging.ends, ElementsAre(WalkEnd::kShortPage));
  EXPECT_EQ(spec.window.safety_lag, 10min);
  EXPECT_EQ(spec.window.align, 1min);
  EXPECT_EQ(spec.window.width_min, 1h);
  EXPECT_EQ(spec.window.width_max, 24h);
  EXPECT_EQ(spec.retry.attempts_max, 5);
  EXPECT_EQ(spec.retry.retry_after_cap, 1h);
  EXPECT_EQ(spec.response.total_kind, TotalKind::kExact);
}

TEST(CompileSource, OffsetsGrowByWhatCameWhereNothingElseTellsOfShortPages) {
  const auto paged = [](const std::string& total, const std::string& more = "") {
    return Spec("endpoints: {items: {paging: {style: offset, first_page: ~" + more +
                "}, response: {total: " + total + "}}}")
        .paging;
  };
  EXPECT_EQ(paged("none").step, OffsetStep::kReceived);
  EXPECT_THAT(paged("none").ends, ElementsAre(WalkEnd::kEmptyPage));
  EXPECT_EQ(paged("{path: $.total, is: estimate}").step, OffsetStep::kReceived);
  EXPECT_EQ(paged("$.total").step, OffsetStep::kSize);
  EXPECT_EQ(paged("none", ", step: size").step, OffsetStep::kSize) << "the definition says so";
}

TEST(CompileSource, AWholeDayFilterAlignsWindowsToDays) {
  const auto spec = Spec("endpoints: {items: {window: {granularity: day, width: 1d}}}");
  EXPECT_EQ(spec.window.align, 24h);
  EXPECT_EQ(spec.window.width_min, 24h);
}

TEST(CompileSource, TheStrongerLevelWinsAndEveryValueKnowsItsLevel) {
  const std::string changes = R"yaml(
limits: [{rate: 10/s}]
retry: {attempts: 2, first: 1s}
operations: {harvest: {retry: {factor: 4}}}
endpoints: {items: {retry: {attempts: 3}, operations: {harvest: {cost: 7}, backfill: {cost: 9}}}}
)yaml";
  const auto outcome =
      Compile(changes, Operation::kHarvest, {"http.base_url=https://other.example"});
  ASSERT_TRUE(outcome.compiled);
  const auto& compiled = *outcome.compiled;
  EXPECT_EQ(compiled.spec.retry.attempts_max, 3);
  EXPECT_EQ(compiled.spec.retry.factor, 4);
  EXPECT_EQ(compiled.spec.cost, 7);
  EXPECT_EQ(compiled.spec.http.base_url, "https://other.example");
  EXPECT_EQ(OriginOf(compiled, "retry.most").layer, Layer::kPlatform);
  EXPECT_EQ(OriginOf(compiled, "retry.first").layer, Layer::kSource);
  EXPECT_EQ(OriginOf(compiled, "retry.attempts").layer, Layer::kEndpoint);
  EXPECT_EQ(OriginOf(compiled, "cost").layer, Layer::kSubConfig);
  EXPECT_EQ(OriginOf(compiled, "http.base_url").layer, Layer::kTrigger);
  EXPECT_EQ(OriginOf(compiled, "paging.style").place.file, "demo.yaml");
  EXPECT_EQ(Compile(changes, Operation::kBackfill).compiled->spec.cost, 9);
}

TEST(CompileSource, AnEndpointsErrorRulesComeBeforeItsSources) {
  const auto spec = Spec(R"yaml(
errors: [{status: 5xx, then: retry}]
endpoints: {items: {errors: [{status: 503, then: restart_slice}]}}
)yaml");
  ASSERT_THAT(spec.errors, SizeIs(2));
  EXPECT_EQ(spec.errors[0].action, ErrorAction::kRestartSlice);
  EXPECT_EQ(spec.errors[1].statuses.front(), (StatusRange{500, 599}));
}

TEST(CompileSource, KeepsNoSecret) {
  const auto spec =
      Spec("auth: {type: api_key, in: query, name: key, keys: ['${env:A}', '${file:/run/b}']}");
  EXPECT_THAT(spec.auth.credentials, ElementsAre("env:A", "file:/run/b"));
}

TEST(CompileSource, TakesTheDetailsOfASecondPhase) {
  const auto spec = Spec(R"yaml(
endpoints:
  items: {details: {endpoint: one, batch: 300}, fields: ~}
  one:
    role: detail
    request: {path: /details, query: {ids: "${ids | join(',')}"}}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: {title: $.title}
)yaml");
  ASSERT_TRUE(spec.details);
  EXPECT_EQ(spec.details->id_batch_size, 300);
  EXPECT_EQ(spec.details->threshold, std::nullopt);
  EXPECT_EQ(spec.details->http.path, "/details");
  EXPECT_THAT(spec.details->fields, SizeIs(1));
}

TEST(CompileSource, SaysFromHowManyOnIdsAreJoined) {
  const auto spec = Spec(R"yaml(
endpoints:
  items: {details: {endpoint: one, batch: 300, threshold: 5, combine_threshold: 100}, fields: ~}
  one:
    role: detail
    request: {path: /details, query: {ids: "${ids | join(',')}"}}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: {title: $.title}
)yaml");
  ASSERT_TRUE(spec.details);
  EXPECT_EQ(spec.details->threshold, 5);
  EXPECT_EQ(spec.details->combine_threshold, 100);
  auto other = spec;
  other.details->threshold.reset();
  other.details->combine_threshold = 7;
  EXPECT_EQ(ExprPrototypeHash(spec), ExprPrototypeHash(other)) << "records are the same";
  EXPECT_NE(SpecFingerprint(spec), SpecFingerprint(other));
}

TEST(CompileSource, KeepsTheNamesOfHooks) {
  const auto spec = Spec(R"yaml(
hooks: {response: jsonp}
endpoints:
  items:
    hooks: {request: plain-separators, paging: content-range-total}
    response: {total: {path: ~, is: exact}}
)yaml");
  EXPECT_EQ(spec.hooks, (HookSpec{.request = "plain-separators",
                                  .response = "jsonp",
                                  .paging = "content-range-total"}));
  EXPECT_EQ(spec.response.total_kind, TotalKind::kExact);
  EXPECT_EQ(Spec().hooks, std::nullopt);
  EXPECT_NE(ExprPrototypeHash(spec), ExprPrototypeHash(Spec("hooks: {response: jsonp}")));
}

TEST(CompileSource, DetailsHaveHooksOfTheirOwnAndNoPages) {
  const auto spec = Spec(R"yaml(
endpoints:
  items: {details: one, fields: ~, paging: {style: token, first_page: ~}, hooks: {paging: after-last-id}}
  one:
    role: detail
    hooks: {response: json-text}
    request: {path: /details, query: {ids: "${ids | join(',')}"}}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: {title: $.title}
)yaml");
  EXPECT_EQ(spec.hooks, HookSpec{.paging = "after-last-id"});
  ASSERT_TRUE(spec.details);
  EXPECT_EQ(spec.details->hooks, HookSpec{.response = "json-text"});
}

TEST(CompileSource, MeasurementsAreWalkedLikeRecordsAndNeedNoUpdateTime) {
  const std::string metrics =
      "endpoints: {items: {role: metrics, response: {updated: ~}, fields: {views: $.views}}}";
  for (const auto operation : {Operation::kHarvest, Operation::kBackfill}) {
    const auto outcome = Compile(metrics, operation);
    EXPECT_THAT(outcome.problems, IsEmpty());
    ASSERT_TRUE(outcome.compiled);
    EXPECT_EQ(outcome.compiled->spec.role, EndpointRole::kMetrics);
    EXPECT_EQ(outcome.compiled->spec.response.updated, std::nullopt);
  }
  EXPECT_THAT(Compile("endpoints: {items: {role: metrics, response: {total: none}}}").warnings,
              Contains(Field(&Error::message, HasSubstr("announces no total"))));
}

// What is degraded is a warning and no refusal.
TEST(CompileSource, SaysWhatIsDegraded) {
  EXPECT_THAT(Compile("endpoints: {items: {window: {safety_lag: 0s}}}").warnings,
              ElementsAre(Field(&Error::message, HasSubstr("records may move"))));
  EXPECT_THAT(Compile("endpoints: {items: {freshness: 30d}}").warnings,
              ElementsAre(Field(&Error::message, HasSubstr("by their ids"))));
  const auto is_walked_twice = Field(&Error::message, HasSubstr("walked twice"));
  EXPECT_THAT(
      Compile("endpoints: {items: {response: {total: none}}}").warnings,
      ElementsAre(is_walked_twice, Field(&Error::message, HasSubstr("announces no total"))));
  EXPECT_THAT(
      Compile("endpoints: {items: {window: {filter: none}}}").warnings,
      ElementsAre(Field(&Error::message, HasSubstr("reads the whole list")), is_walked_twice));
  EXPECT_THAT(Compile("endpoints: {items: {window: {settles: false}}}").warnings,
              ElementsAre(is_walked_twice));
  EXPECT_THAT(Compile("endpoints: {items: {window: {settles: false}, paging: {by: key}}}").warnings,
              IsEmpty());
}

TEST(CompileSource, ARequestThatContradictsTheEndsOfItsWindowIsPointedOut) {
  const auto with = [](const std::string& ends, const std::string& until) {
    return Compile("endpoints: {items: {window: {" + ends + "}, request: {query: {u: \"" + until +
                   "\"}}}}");
  };
  const auto never_asked = Field(&Error::message, HasSubstr("never asked for"));
  EXPECT_THAT(with("ends: exclusive", "${window.last}").warnings, ElementsAre(never_asked));
  EXPECT_THAT(with("ends: exclusive", "${window.to}").warnings, IsEmpty());
  EXPECT_THAT(with("ends: inclusive", "${window.last}").warnings, IsEmpty());
  EXPECT_THAT(with("ends: inclusive", "${window.to}").warnings, IsEmpty());
  EXPECT_THAT(with("", "${window.last}").warnings, IsEmpty()) << "nothing is said of its ends";
  const auto moved = ElementsAre(Field(&Error::message, HasSubstr("the last moment")));
  EXPECT_THAT(with("ends: inclusive", "${window.to | minus('1s')}").problems, moved);
  EXPECT_THAT(with("ends: exclusive", "${window.to | minus('1s')}").problems, IsEmpty());
  EXPECT_THAT(with("ends: inclusive", "${window.from | minus('1s')}/${window.to}").problems,
              IsEmpty());
}

TEST(CompileSource, AnEndThatIsWrittenMoreCoarselyThanTheFilterCountsIsRefusedWhereItIsIncluded) {
  const auto with = [](const std::string& window, const std::string& format) {
    return Compile("endpoints: {items: {window: {" + window +
                   "}, request: {query: {u: \"${window.to | formatDateTime('" + format +
                   "')}\"}}}}");
  };
  const auto alike = ElementsAre(Field(&Error::message, HasSubstr("apart alike")));
  EXPECT_THAT(with("ends: inclusive", "yyyy-MM-dd HH:mm").problems, alike);
  EXPECT_THAT(with("ends: inclusive", "yyyy-MM-dd").problems, alike);
  EXPECT_THAT(with("ends: inclusive, granularity: microsecond", "yyyy-MM-dd HH:mm:ss").problems,
              alike);
  EXPECT_THAT(with("ends: inclusive", "yyyy-MM-dd HH:mm:ss").problems, IsEmpty());
  EXPECT_THAT(
      with("ends: inclusive, granularity: day, align: 1d, width: 1d..30d", "yyyy-MM-dd").problems,
      IsEmpty());
  EXPECT_THAT(with("ends: exclusive", "yyyy-MM-dd").warnings, alike);
  EXPECT_THAT(with("ends: exclusive", "yyyy-MM-dd").problems, IsEmpty());
}

TEST(CompileSource, DatesOfUtcAreRefusedWhereTheFilterGoesByAnotherClock) {
  const auto with = [](const std::string& zone, const std::string& placeholder) {
    return Compile("endpoints: {items: {window: {timezone: " + zone + "}, request: {query: {u: \"" +
                   placeholder + "\"}}}}")
        .problems;
  };
  const auto refused = ElementsAre(Field(&Error::message, HasSubstr("writes dates in UTC")));
  for (const std::string zone : {"America/New_York", "Asia/Shanghai"}) {
    EXPECT_THAT(with(zone, "${window.from | formatDateTime('yyyy-MM-dd HH:mm:ss')}"), refused);
    EXPECT_THAT(with(zone, "${window.to | formatDateTime('yyyyMMdd')}"), refused);
    EXPECT_THAT(
        with(zone, "${window.from | formatDateTime('yyyy-MM-dd HH:mm:ss', '" + zone + "')}"),
        IsEmpty());
    EXPECT_THAT(with(zone, "${window.from | formatDateTime('epoch_s')}"), IsEmpty());
    EXPECT_THAT(with(zone, "${window.from}"), IsEmpty()) << "it says Z itself";
  }
  EXPECT_THAT(with("UTC", "${window.from | formatDateTime('yyyy-MM-dd HH:mm:ss')}"), IsEmpty());
}

TEST(CompileSource, ABurstThatIsNotWhatTheRateCountsIsPointedOut) {
  const auto warned = [](const std::string& limit) {
    return Compile("limits: [{page: 'https://example.org', " + limit + "}]").warnings;
  };
  EXPECT_THAT(warned("rate: 5/s, burst: 5"), IsEmpty());
  EXPECT_THAT(warned("rate: 5/s, burst: 20"),
              ElementsAre(Field(&Error::message, HasSubstr("no more than the 5"))));
  EXPECT_THAT(warned("rate: 5/s, burst: 2"),
              ElementsAre(Field(&Error::message, HasSubstr("spaced evenly"))));
  EXPECT_THAT(warned("concurrency: 2, burst: 2"),
              ElementsAre(Field(&Error::message, HasSubstr("without a rate"))));
}

TEST(CompileSource, EveryCurveOfRetriesCanBeChosen) {
  EXPECT_EQ(Spec().retry.backoff, std::nullopt) << "a snapshot says nothing that nobody chose";
  for (const auto& [curve, code] : CodesOf(BackoffCurve{}))
    EXPECT_EQ(Spec("retry: {backoff: " + LowerCode(code) + "}").retry.backoff, curve);
  EXPECT_THAT(Compile("retry: {backoff: never}").problems,
              ElementsAre(Field(&Error::message, HasSubstr("'never' is not a known value"))));
}

TEST(CompileSource, ARetryKeyThatItsCurveDoesNotKnowIsPointedOut) {
  const auto idle = Field(&Error::message, HasSubstr("means nothing to `backoff: fixed`"));
  EXPECT_THAT(Compile("retry: {backoff: fixed, jitter: 10%, factor: 3}").warnings,
              ElementsAre(idle, idle));
  EXPECT_THAT(Compile("retry: {backoff: exponential, factor: 3}").warnings, IsEmpty());
  EXPECT_THAT(Compile("retry: {jitter: 10%, factor: 3}").warnings, IsEmpty());
}

TEST(CompileSource, ATotalIsThereOrItIsNone) {
  for (const auto* none : {"none", "{is: none}", "{path: $.total, is: none}"}) {
    const auto spec = Spec(fmt::format("endpoints: {{items: {{response: {{total: {}}}}}}}", none));
    EXPECT_EQ(spec.response.total_kind, TotalKind::kNone) << none;
    EXPECT_FALSE(spec.response.total) << none;
  }
  const auto nowhere = Compile("endpoints: {items: {response: {total: {path: ~, is: estimate}}}}");
  EXPECT_THAT(nowhere.problems,
              ElementsAre(Field(&Error::message, HasSubstr("'path' is missing"))));
}

TEST(CompileSource, AKeyThatIsUnsetFallsBackToWhatTheCodeAssumes) {
  EXPECT_EQ(Spec("{cursor: ~, retry: ~, cost: ~}").cursor_scope, CursorScope::kExpr);
}

TEST(CompileSource, AnUnknownEndpointSuggestsOne) {
  const auto compiled = CompileSource({.definition = Definition(), .endpoint = "item"});
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().front().hint, "did you mean 'items'?");
}

struct Mistake {
  std::string check;
  std::string changes;
  std::string message;
  Operation operation = Operation::kHarvest;
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreRefusedWithTheirPlace) {
  const auto outcome = Compile(GetParam().changes, GetParam().operation);
  EXPECT_THAT(outcome.problems,
              Contains(AllOf(Field(&Error::message, HasSubstr(GetParam().message)),
                             Field(&Error::code, ErrorCode::kInvalidInput))));
  for (const auto& problem : outcome.problems) {
    EXPECT_FALSE(problem.place.file.empty()) << problem.message;
    EXPECT_GT(problem.place.line, 0) << problem.message;
    EXPECT_FALSE(problem.place.pointer.empty()) << problem.message;
  }
}

std::string Item(const std::string& part) { return "endpoints: {items: {" + part + "}}"; }

// A second endpoint that gives details, for the checks of two phases.
std::string WithDetails(const std::string& of_items, const std::string& of_details) {
  return "endpoints: {items: {" + of_items + "}, one: {role: detail, " + of_details +
         "response: {items: $.items, id: $.id, updated: $.updated}, fields: {title: $.title}}}";
}

// The number of the check, or the part that it is about, and the place in the table.
std::string NameOf(const ::testing::TestParamInfo<Mistake>& test) {
  return "Check" + test.param.check + "_" + std::to_string(test.index);
}

INSTANTIATE_TEST_SUITE_P(
    OfTheNineChecks, Mistakes,
    ::testing::Values(
        Mistake{"1", "auth: {type: none, required: true}", "requires authentication"},
        Mistake{"1", "auth: {type: api_key, name: k}", "no reference to a key"},
        Mistake{"1", "auth: {type: api_key, keys: '${env:A}'}", "needs the name of its place"},
        Mistake{"1", "auth: {type: basic, username: '${env:U}'}", "username and password"},
        Mistake{"1", "auth: {type: oauth2, client_id: '${env:A}'}", "oauth2 needs"},
        Mistake{"1", "auth: {type: bearer, keys: '${env:A}', in: body}", "has no body"},
        Mistake{"2", Item("paging: {style: token, first_page: ~, next: ~}"),
                "needs the path `next`"},
        Mistake{"2", Item("paging: {style: url, first_page: ~}"), "link_header"},
        Mistake{"2", Item("paging: {first_page: ~}"), "from 0 or from 1"},
        Mistake{"2", Item("paging: {style: token, next: $.n}"), "knows no `first_page`"},
        Mistake{"2", Item("paging: {next: $.n}"), "paging by page knows no `next`"},
        Mistake{"2", Item("paging: {style: offset, first_page: 1}"), "has no first page"},
        Mistake{"2", Item("paging: {ends: has_more_false}"), "needs the path has_more"},
        Mistake{"2", Item("paging: {style: time, first_page: ~}, window: {filter: client}"),
                "paging by time needs"},
        Mistake{"2", Item("paging: {pages_max: 0}"), "at least one page"},
        Mistake{"3", Item("window: {filter: client}"), "needs order.stable"},
        Mistake{"3", Item("window: {filter: client}, order: {by: id, stable: true}"),
                "the list is sorted by 'id'"},
        Mistake{"3", Item("window: {start: ~}"), "where the first harvest begins"},
        Mistake{"3", Item("window: {width: 1d..1h}"), "widths have to rise"},
        Mistake{"3", Item("window: {align: 1d}"), "cannot lie on multiples of 1d"},
        Mistake{"3", Item("window: {granularity: day, align: 1h}"), "steps of 1d"},
        Mistake{"3", Item("window: {safety_lag: -1m}"), "not negative"},
        Mistake{"3", Item("window: {safety_lag: 2d}"), "above safety_lag_max"},
        Mistake{"4", Item("details: itemz"), "there is no endpoint 'itemz'"},
        Mistake{"4", Item("details: items"), "is no detail endpoint"},
        Mistake{"4",
                WithDetails("details: {endpoint: one, threshold: 0}, fields: ~",
                            "request: {path: /d, query: {ids: '${ids}'}}, "),
                "it is 1 to 200, as many ids as a request has"},
        Mistake{"4",
                WithDetails("details: {endpoint: one, batch: 20, combine_threshold: 21}, fields: ~",
                            "request: {path: /d, query: {ids: '${ids}'}}, "),
                "it is 1 to 20, as many ids as a request has"},
        Mistake{"4",
                WithDetails("details: {endpoint: one, batch: 501}, fields: ~",
                            "request: {path: /d, query: {ids: '${ids}'}}, "),
                "1 to 500 ids"},
        Mistake{"4", WithDetails("details: one, fields: ~", "request: {path: /d}, "),
                "does not ask for ${ids}"},
        Mistake{"4", WithDetails("details: one", "request: {path: /d, query: {ids: '${ids}'}}, "),
                "fields belong to 'one'"},
        Mistake{"4",
                WithDetails("details: one, refresh: one, fields: ~",
                            "request: {path: /d, query: {ids: '${ids}'}}, "),
                "is refreshed by them"},
        Mistake{"5", Item("response: {items: ~}"), "path to the records is missing"},
        Mistake{"5", Item("response: {id: ~}"), "record's id is missing"},
        Mistake{"5", Item("response: {updated: ~}"), "update time is missing"},
        Mistake{"5", Item("response: {format: columns}"), "columns' names is missing"},
        Mistake{"5", Item("response: {items: '$.items['}"), "is not a path"},
        Mistake{"5", Item("response: {items: '$.items[?@.a]', total: none}"),
                "nothing says which is the last"},
        Mistake{"5", Item("response: {items: '$..items[*]'}"),
                "nobody can tell that from an error"},
        Mistake{"5",
                Item("paging: {style: offset, first_page: ~, has_more: $.more, step: received}, "
                     "response: {items: '$.items[0:5]'}"),
                "cannot grow by what came"},
        Mistake{"5",
                Item("paging: {style: time, first_page: ~}, response: {items: '$.items[?@.a]'}"),
                "a page without records is the last"},
        Mistake{"5", Item("response: {items: {path: $.items, missing: empty}, one_record: true}"),
                "`missing` is for lists"},
        Mistake{"5", Item("response: {items: '$.items[*]', one_record: true}"),
                "may select several records"},
        Mistake{"5",
                Item("response: {format: xml, items: /r/i, id: id, updated: u, total: /r/@n}, "
                     "fields: {title: t}"),
                "an error in XML looks like a page without records"},
        Mistake{"5",
                Item("response: {format: xml, envelope: /r, items: string(/r/i), id: id, updated: "
                     "u, total: /r/@n}, fields: {title: t}"),
                "selects no records"},
        Mistake{"5", Item("fields: {title: 'title'}"), "is not a path"},
        Mistake{"6", Item("paging: {size: 2000}"), "at most 1000 records per page"},
        Mistake{"6", "retry: {attempts: 0}", "1 to 20 attempts"},
        Mistake{"6", "retry: {retry_after_cap: 0s}", "capped but not ignored"},
        Mistake{"6", "limits: []", "there is no limit"},
        Mistake{"6", Item("paging: {size: 900, reach: 800}"), "paging reaches 800 records"},
        Mistake{"6", "limits: [{burst: 2}]", "needs a rate, a concurrency or a quota"},
        Mistake{"6", "limits: [{rate: 1/s, burst: 0}]", "at least one request"},
        Mistake{"6", "limits: [{rate: 1/s, concurrency: 0}]", "at least 1"},
        Mistake{"6", "limits: [{rate: 1/s, slow_down: 1}]", "more than 1"},
        Mistake{"6", "limits: [{rate: fast}]", "fast"},
        Mistake{"6", "retry: {first: 2m, most: 1m}", "rise from `first` to `most`"},
        Mistake{"6", "retry: {factor: 0.5}", "delays do not fall"},
        Mistake{"6", Item("cost: 0"), "at least one permit"},
        Mistake{"7", Item("paging: {style: pages}"), "'pages' is not a known value"},
        Mistake{"7", Item("request: {method: fetch}"), "'fetch' is not a known value"},
        Mistake{"8", Item("operations: {backfill: {cursor: global}}"), "watermark's scope",
                Operation::kBackfill},
        Mistake{"8", Item("role: detail"), "cannot be walked"},
        Mistake{"8", Item("role: metrics, fields: ~"), "no field is mapped"},
        Mistake{"8", Item("role: metrics, window: {start: ~}"), "where the first harvest begins"},
        Mistake{"8", Item("role: metrics, refresh: items"), "are not asked for by ids"},
        Mistake{"8",
                WithDetails("role: metrics, details: one, fields: ~",
                            "request: {path: /d, query: {ids: '${ids}'}}, "),
                "are not asked for by ids"},
        Mistake{"8",
                "endpoints: {items: {details: usage, fields: ~}, usage: {role: metrics, request: "
                "{path: /u}}}",
                "'usage' is no detail endpoint"},
        Mistake{"9", "auth: {type: custom}", "signing hook"},
        Mistake{"9", "auth: {type: bearer, keys: s3cret}", "may not stand in a definition"},
        Mistake{"9", Item("request: {headers: {Authorization: Bearer abc}}"),
                "looks like a credential"}),
    NameOf);

// The rules of single parts, which none of the nine checks names.
INSTANTIATE_TEST_SUITE_P(
    OfParts, Mistakes,
    ::testing::Values(
        Mistake{"time", Item("window: {start: tomorrow-ish}"), "tomorrow-ish"},
        Mistake{"time", Item("window: {timezone: Mars/Olympus}"), "Mars/Olympus"},
        Mistake{"paging", Item("paging: {size: 0}"), "at least one record"},
        Mistake{"paging", Item("paging: {ends: total_reached}, response: {total: none}"),
                "needs an exact total"},
        Mistake{"paging", Item("paging: {split_by: [{name: kind, kind: values}]}"),
                "no values to split by"},
        Mistake{"window", Item("window: {lookback: -1d}"), "not negative"},
        Mistake{"window", Item("window: {by: ''}"), "the watermark needs a name"},
        Mistake{"fields", Item("fields: {title: {path: $.title, many: true, join: ','}}"),
                "either a list (many) or one text"},
        Mistake{"fields", Item("fields: ~"), "no field is mapped"},
        Mistake{"fields", Item("fields: {title: {path: $.title, pattern: '('}}"), "("},
        Mistake{"templates", Item("request: {query: {page: '${system(1)}'}}"), "system"},
        Mistake{"freshness", Item("freshness: 0s"), "longer than nothing"},
        Mistake{"freshness", Item("freshness: {within: 30d, parts: 0}"), "1 to 1000 parts"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    OfTransport, Mistakes,
    ::testing::Values(
        Mistake{"http", "http: {base_url: ~}", "address is missing"},
        Mistake{"http", "http: {base_url: 'https://me:s3cret@api.example.org'}",
                "has a user or password in it"},
        Mistake{"http", "http: {base_url: 'http://plain.example'}", "without TLS"},
        Mistake{"http", "http: {timeout: {total: 10m}}", "at most 120s"},
        Mistake{"http", "http: {redirects: 9}", "at most 3 redirects"},
        Mistake{"http", "http: {proxy: 'http://u:p@proxy:3128'}", "stand in the definition"},
        Mistake{"http", Item("request: {json: {a: 1}}"), "a GET request has no body"},
        Mistake{"http", Item("request: {query: {page: '${page.'}}"), ""},
        Mistake{"http", Item("request: {query: {page: '${pages.number}'}}"), "pages"},
        Mistake{"names", "endpoints: {A/b: {}}", "'A/b' is not a name"},
        Mistake{"errors", Item("errors: [{then: fail}]"), "without a condition"},
        Mistake{"errors", Item("errors: [{status: 429, then: wait}]"), "waiting needs an end"},
        Mistake{"errors", Item("errors: [{status: 999, then: fail}]"), "not a status"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    OfHooks, Mistakes,
    ::testing::Values(
        Mistake{"Hooks", "hooks: {response: jsonq}", "there is no response hook 'jsonq'"},
        Mistake{"Hooks", "hooks: {request: sign}", "there is no request hook 'sign'"},
        Mistake{"Hooks", "hooks: {paging: jsonp}", "there is no paging hook 'jsonp'"},
        Mistake{"Hooks", Item("hooks: {paging: after-last-id}"), "only paging by token sends one"},
        Mistake{"Hooks",
                Item("paging: {style: token, first_page: ~, next: $.n}, hooks: {paging: "
                     "after-last-id}"),
                "and so does a path"},
        Mistake{"Hooks",
                Item("paging: {style: token, first_page: ~}, hooks: {paging: after-last-id}, "
                     "response: {id: {paths: $.id, case: lower}}"),
                "as the provider has it"},
        Mistake{"Hooks", Item("hooks: {paging: total-count-header}"), "and so does a path"},
        Mistake{"Hooks", Item("hooks: {paging: total-count-header}, response: {total: none}"),
                "how far the total"},
        Mistake{"Hooks",
                WithDetails("details: one, fields: ~",
                            "hooks: {paging: after-last-id}, request: {path: /d, query: {ids: "
                            "'${ids}'}}, "),
                "details have no pages"}),
    NameOf);

TEST(CompileSource, ReportsAllProblemsOfADefinitionAtOnce) {
  const auto outcome = Compile(R"yaml(
pagin: {size: 3}
retry: {attempts: many}
endpoints: {items: {response: {items: ~, id: ~}, window: {safety_lag: soon}}}
)yaml");
  EXPECT_THAT(outcome.problems, SizeIs(5));
}

TEST(CompileSource, ASecretThatStandsInADefinitionIsNotRepeated) {
  for (const auto& problem : Compile("auth: {type: bearer, keys: s3cret}").problems)
    EXPECT_THAT(problem.Describe(), ::testing::Not(HasSubstr("s3cret")));
}

TEST(CompileSource, BudgetsDifferByOperation) {
  const std::string changes = R"yaml(
budget: {requests: 100, time: 10m}
operations:
  backfill: {budget: {records: 5000, pause: 2h, quota: [500/d, 100/h], open_tasks: 20}}
)yaml";
  const auto harvest = Compile(changes);
  ASSERT_THAT(harvest.problems, IsEmpty());
  ASSERT_TRUE(harvest.compiled->spec.budget);
  EXPECT_EQ(harvest.compiled->spec.budget->requests_max, 100);
  EXPECT_EQ(harvest.compiled->spec.budget->duration_max, Duration(10min));
  EXPECT_EQ(harvest.compiled->spec.budget->pause, 1h);
  EXPECT_THAT(harvest.compiled->spec.budget->quotas, IsEmpty());
  const auto backfill = Compile(changes, Operation::kBackfill);
  ASSERT_THAT(backfill.problems, IsEmpty());
  const auto& budget = *backfill.compiled->spec.budget;
  EXPECT_EQ(budget.requests_max, 100);
  EXPECT_EQ(budget.records_max, 5'000);
  EXPECT_EQ(budget.pause, 2h);
  EXPECT_THAT(budget.quotas, SizeIs(2));
  EXPECT_EQ(budget.open_tasks_max, 20);
  const auto& spec = backfill.compiled->spec;
  EXPECT_EQ(*SpecSnapshot::FromValue(spec.ToValue()), spec);
  EXPECT_FALSE(Compile().compiled->spec.budget) << "none where nobody says anything";
  EXPECT_EQ(ExprPrototypeHash(harvest.compiled->spec), ExprPrototypeHash(Compile().compiled->spec))
      << "records do not depend on it";
  for (const auto* wrong : {"budget: {requests: 0}", "budget: {records: -1}", "budget: {time: 0s}",
                            "budget: {open_tasks: 0}", "budget: {quota: 0/d}"})
    EXPECT_FALSE(Compile(wrong).problems.empty()) << wrong;
}

TEST(CompileSource, LimitsSayWhoseDayTheyCountAndWhatIsLeftToHarvests) {
  const auto outcome = Compile(R"yaml(
limits:
  - {rate: 2/s, ceiling: 10/s, urgent_rate: 80%}
  - {quota: 1000/d, zone: Asia/Shanghai, urgent_quota: 30%}
)yaml");
  ASSERT_THAT(outcome.problems, IsEmpty());
  const auto& limits = outcome.compiled->spec.limits;
  EXPECT_EQ(limits.at(0).ceiling->requests, 10);
  EXPECT_EQ(limits.at(0).urgent_rate, 0.8);
  EXPECT_EQ(limits.at(1).quota_zone, "Asia/Shanghai");
  EXPECT_EQ(limits.at(1).urgent_quota, 0.3);
  EXPECT_EQ(*SpecSnapshot::FromValue(outcome.compiled->spec.ToValue()), outcome.compiled->spec);
  for (const auto* wrong :
       {"limits: [{rate: 2/s, ceiling: 1/s}]", "limits: [{ceiling: 1/s}]",
        "limits: [{rate: 2/s, ceiling: 300/s}]", "limits: [{rate: 2/s, urgent_rate: 100%}]",
        "limits: [{quota: 9/d, reserve: 50%, urgent_quota: 50%}]",
        "limits: [{quota: 9/d, zone: Asia/Nowhere}]",
        "limits: [{rate: 2/s, concurrency: 1, quota: [9/d, 5/h]}]"})
    EXPECT_FALSE(Compile(wrong).problems.empty()) << wrong;
}

TEST(CompileSource, EndpointsWithWeightsHaveTheirPartOfTheQuota) {
  const auto outcome = Compile(R"yaml(
endpoints:
  items: {weight: 1, refresh: {endpoint: item}}
  item:
    role: detail
    weight: 3
    request: {path: "/items/${ids}"}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: {title: $.title}
)yaml",
                               Operation::kUpdate);
  ASSERT_THAT(outcome.problems, IsEmpty()) << outcome.problems.front().Describe();
  EXPECT_EQ(outcome.compiled->spec.quota_part, 0.25);
  EXPECT_EQ(outcome.compiled->spec.details->quota_part, 0.75);
  EXPECT_FALSE(Compile("endpoints: {items: {weight: 5}}").compiled->spec.quota_part)
      << "there is nobody to share with";
}

}  // namespace patra::domain::compile_source_test
