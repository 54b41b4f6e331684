#include "base/template.h"

#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/placement.h"

namespace patra::template_test {

const Instant kNow = ParseRfc3339("2026-03-29T12:34:56.5Z").value();

const Value& Context() {
  static const Value context = ParseJson(R"({
    "window": {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z"},
    "page": {"size": 800, "number": 7, "token": null, "offset": 2.5},
    "ids": ["a1", "b2", "c3"],
    "mixed": [1, null, true, "x"],
    "nested": [[1]],
    "odd": {"next-cursor": "AoJ=", "odd name": 5, "it's": 6, "": 7},
    "text": "  Grüße, Welt ",
    "doi": "10.1000/ABC",
    "count": "12",
    "yes": true, "no": false,
    "big": 9223372036854775807,
    "doc": {"items": [{"id": 1, "ok": true}, {"id": 2}], "total": 2},
    "empty": "", "none": [], "now": "a field"
  })")
                                   .value();
  return context;
}

Result<Rendered> Render(std::string_view text, TemplateOptions options = {},
                        RenderOptions render = {.now = kNow}) {
  const auto compiled = PATRA_TRY(Template::Compile(text, options));
  return compiled.Render(Context(), render);
}

// The rendered value as JSON; "omitted" or "error: …" otherwise.
std::string Shown(std::string_view text, TemplateOptions options = {}) {
  const auto rendered = Render(text, options);
  if (!rendered) return "error: " + rendered.error().Describe();
  return *rendered ? PrintJson(**rendered) : "omitted";
}

struct Case {
  std::string_view text, expected;
};

void ExpectAll(std::span<const Case> cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(Shown(text), expected) << text;
}

TEST(Template, MixesTextAndPlaceholders) {
  const Case cases[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"from:${window.from},rows:${page.size}", R"("from:2026-03-01T00:00:00Z,rows:800")"},
      {"${ids[0]}${ids[1]}", R"("a1b2")"},
      {"$${literal} ${page.size}", R"("${literal} 800")"},
      {"$ $$ $x $", R"("$ $$ $x $")"},
      {"$$${x}", R"("$${x}")"},
      {"} { ${page.size}}", R"("} { 800}")"},
      {"${'}'}|${\"${\"}", R"("}|${")"},
      {"${ page . size }",
       "error: column 9: expected '|' or '}', found '.' (a literal ${ is "
       "written $${)"},
  };
  ExpectAll(cases);
}

TEST(Template, KeepsTheTypeOfASinglePlaceholder) {
  const Case cases[] = {
      {"${page.size}", "800"},
      {"${ page.offset }", "2.5"},
      {"${ids}", R"(["a1","b2","c3"])"},
      {"${doc.items[0]}", R"({"id":1,"ok":true})"},
      {"${yes}", "true"},
      {"${5}", "5"},
      {"${-1.5e3}", "-1500"},
      {"${'text'}", R"("text")"},
      {"${false}", "false"},
      {" ${page.size}", R"(" 800")"},
  };
  ExpectAll(cases);
}

TEST(Template, FollowsPaths) {
  const Case cases[] = {
      {"${odd.next-cursor}", R"("AoJ=")"},
      {"${odd['odd name']}", "5"},
      {"${odd[\"odd name\"]}", "5"},
      {"${odd['it\\'s']}", "6"},
      {"${odd['']}", "7"},
      {"${ids[2]}", R"("c3")"},
      {"${ids[-1]}", R"("c3")"},
      {"${ids[-3]}", R"("a1")"},
      {"${nested[0][0]}", "1"},
      {"${doc.items[1].id}", "2"},
      {"${now}", R"("a field")"},
      {"${ids[3]}", "omitted"},
      {"${ids[-4]}", "omitted"},
      {"${ids.x}", "omitted"},
      {"${page[0]}", "omitted"},
      {"${page.size.more}", "omitted"},
      {"${nothing.at.all}", "omitted"},
  };
  ExpectAll(cases);
}

TEST(Template, CallsFunctionsByPipeOrByName) {
  const Case cases[] = {
      {"${doi | lower}", R"("10.1000/abc")"},
      {"${doi | lower()}", R"("10.1000/abc")"},
      {"${lower(doi)}", R"("10.1000/abc")"},
      {"${doi|lower|urlEncode}", R"("10.1000%2Fabc")"},
      {"${concat(lower(doi), '-', page.size | plus(1))}", R"("10.1000/abc-801")"},
      {"${ids | join(',' | concat(' '))}", R"("a1, b2, c3")"},
      {"${now()}", R"("2026-03-29T12:34:56.5Z")"},
  };
  ExpectAll(cases);
}

TEST(Template, FormatsAndReadsMoments) {
  const Case cases[] = {
      {"${window.from | formatDateTime('yyyy/MM/dd')}", R"("2026/03/01")"},
      {"${window.from | formatDateTime('iso_seconds')}", R"("2026-03-01T00:00:00")"},
      {"${window.from | formatDateTime('yyyy-MM-dd HH:mm', 'America/New_York')}",
       R"("2026-02-28 19:00")"},
      {"${now() | formatDateTime('epoch_ms')}", R"("1774787696500")"},
      {"${window.to | minus('1s')}", R"("2026-03-01T23:59:59Z")"},
      {"${window.to | plus('P1DT1H')}", R"("2026-03-03T01:00:00Z")"},
      {"${'20260301' | parseDateTime('yyyyMMdd')}", R"("2026-03-01T00:00:00Z")"},
      {"${'2026-03-01' | parseDateTime('iso_date', 'Europe/Berlin')}", R"("2026-02-28T23:00:00Z")"},
      {"${1774787696 | parseDateTime('epoch_s')}", R"("2026-03-29T12:34:56Z")"},
      {"${window.from | formatDateTime(concat('yyyy', '-MM'), concat('UT', 'C'))}", R"("2026-03")"},
      {"${now() | epochSeconds}", "1774787696"},
      {"${now() | epochMillis}", "1774787696500"},
      {"${now() | startOfDay}", R"("2026-03-29T00:00:00Z")"},
      {"${now() | startOfDay('Asia/Kathmandu')}", R"("2026-03-28T18:15:00Z")"},
      {"${now() | floorTo('second')}", R"("2026-03-29T12:34:56Z")"},
      {"${now() | floorTo('minute')}", R"("2026-03-29T12:34:00Z")"},
      {"${now() | floorTo('hour')}", R"("2026-03-29T12:00:00Z")"},
      {"${now() | floorTo('hour', 'Asia/Kathmandu')}", R"("2026-03-29T12:15:00Z")"},
      {"${now() | floorTo('day')}", R"("2026-03-29T00:00:00Z")"},
      {"${now() | floorTo('day', 'Europe/Berlin')}", R"("2026-03-28T23:00:00Z")"},
      {"${now() | floorTo('week')}", R"("2026-03-23T00:00:00Z")"},
      {"${now() | floorTo('month')}", R"("2026-03-01T00:00:00Z")"},
      {"${now() | floorTo('year')}", R"("2026-01-01T00:00:00Z")"},
      {"${now() | floorTo('15m')}", R"("2026-03-29T12:30:00Z")"},
      {"${'1969-12-31T23:59:59Z' | floorTo('15m')}", R"("1969-12-31T23:45:00Z")"},
  };
  ExpectAll(cases);
}

TEST(Template, Calculates) {
  const Case cases[] = {
      {"${page.number | minus(1) | times(page.size)}", "4800"},
      {"${page.offset | plus(1)}", "3.5"},
      {"${count | toNumber | plus(1)}", "13"},
      {"${' 1.5 ' | toNumber}", "1.5"},
      {"${page.size | toNumber}", "800"},
      {"${page.number | padLeft(4, '0')}", R"("0007")"},
      {"${'ü' | padLeft(3)}", R"("  ü")"},
      {"${'long' | padLeft(2)}", R"("long")"},
  };
  ExpectAll(cases);
}

TEST(Template, WorksOnTexts) {
  const Case cases[] = {
      {"${text | trim}", R"("Grüße, Welt")"},
      {"${text | trim | length}", "11"},
      {"${text | trim | substring(2, 5)}", R"("üße")"},
      {"${text | trim | substring(-4)}", R"("Welt")"},
      {"${text | trim | substring(0, -6)}", R"("Grüße")"},
      {"${doi | substring(3, 1)}", R"("")"},
      {"${doi | substring(50)}", R"("")"},
      {"${doi | substring(-9999999999)}", R"("10.1000/ABC")"},
      {"${doi | upper | replace('/', '_') | replace('0', '')}", R"("1.1_ABC")"},
      {"${'a,b,,c' | split(',')}", R"(["a","b","","c"])"},
      {"${'' | split(',')}", R"([""])"},
      {"${'a' | base64}", R"("YQ==")"},
      {"${'abc' | sha256}",
       R"("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")"},
      {"${'a\\'b\\\"c\\\\d\\n'}", R"("a'b\"c\\d\n")"},
      {"${concat('a', 1, true, 2.5)}", R"("a1true2.5")"},
  };
  ExpectAll(cases);
}

TEST(Template, WorksOnValues) {
  const Case cases[] = {
      {"${ids | first}", R"("a1")"},
      {"${ids | last}", R"("c3")"},
      {"${none | first}", "omitted"},
      {"${ids | length}", "3"},
      {"${page | length}", "4"},
      {"${mixed | join('|')}", R"("1|true|x")"},
      {"${none | join(',')}", R"("")"},
      {"${doc.items | toJson}", R"("[{\"id\":1,\"ok\":true},{\"id\":2}]")"},
      {"${doc | jsonPath('$.total')}", "2"},
      {"${doc | jsonPath('$.items[*].id')}", "[1,2]"},
      {"${doc | jsonPath('$.items[?@.ok].id') | first}", "1"},
      {"${doc | jsonPath('$.nothing')}", "omitted"},
      {"${doc | jsonPath('$..nothing')}", "[]"},
      {"${doc | jsonPath(concat('$', '.total'))}", "2"},
      {"${eq(page.size, 800.0)}", "true"},
      {"${eq(page.token, null)}", "true"},
      {"${eq(ids, 'a')}", "false"},
      {"${if(eq(page.number, 1), 'first', 'later')}", R"("later")"},
      {"${if(yes, ids)}", R"(["a1","b2","c3"])"},
      {"${if(no, 1)}", "omitted"},
      {"${if(page.token, 1, 2)}", "2"},
  };
  ExpectAll(cases);
}

TEST(Template, OmitsATextWithAMissingValueUnlessItHasADefault) {
  const Case cases[] = {
      {"${page.token}", "omitted"},
      {"cursor=${page.token}", "omitted"},
      {"${page.token | lower}", "omitted"},
      {"${concat('a', page.token)}", "omitted"},
      {"${page.token | default('*')}", R"("*")"},
      {"${page.token | lower | default('*')}", R"("*")"},
      {"${coalesce(page.token, nothing, page.number)}", "7"},
      {"${coalesce(page.token, nothing)}", "omitted"},
      {"${empty | default('x')}", R"("")"},
      {"${null}", "omitted"},
  };
  ExpectAll(cases);
}

TEST(Template, HasOtherPoliciesForMissingValues) {
  EXPECT_EQ(Shown("a${page.token}b", {.null_policy = NullPolicy::kEmpty}), R"("ab")");
  EXPECT_EQ(Shown("${page.token}", {.null_policy = NullPolicy::kEmpty}), R"("")");
  EXPECT_EQ(
      Shown("ab${page.token}", {.null_policy = NullPolicy::kError}),
      "error: column 5: this placeholder has no value (give it one, as | default('x'), or let "
      "the template omit it)");
}

TEST(Template, SaysWhereItDoesNotCompile) {
  struct Wrong {
    std::string_view text;
    int column;
    std::string_view message, hint;
  };
  const Wrong cases[] = {
      {"${", 3, "expected a name, a function, a number or a text in quotes, found the end", ""},
      {"${}", 3, "expected a name, a function, a number or a text in quotes, found '}'", ""},
      {"ab${page", 9, "expected '|' or '}', found the end", "a literal ${ is written $${"},
      {"${page.}", 8, "expected a name, found '}'", "other names are written ['odd name']"},
      {"${ids[x]}", 7, "expected an index or a name in quotes, found 'x'", ""},
      {"${ids[0}", 8, "expected ']', found '}'", ""},
      {"${'open}", 3, "this quote is not closed", ""},
      {"${'\\x'}", 5, "expected one of \\ ' \" n r t behind a backslash, found 'x'",
       "a backslash itself is written twice"},
      {"${1.2.3}", 3, "'1.2.3' is no number", "put texts into quotes"},
      {"${1e999}", 3, "'1e999' is no number", "put texts into quotes"},
      {"${page | }", 10, "expected the name of a function, found '}'", ""},
      {"${page || lower}", 9, "expected the name of a function, found '|'", ""},
      {"${page | formatDatetime('x')}", 10, "there is no function 'formatDatetime'",
       "did you mean 'formatDateTime'?"},
      {"${lowr(x)}", 3, "there is no function 'lowr'", "did you mean 'lower'?"},
      {"${page | lower(1)}", 10, "lower does not take 2 arguments",
       "lower(text), where a pipe gives the first"},
      {"${now(1)}", 3, "now does not take 1 argument", "now(), where a pipe gives the first"},
      {"${page | formatDateTime}", 10, "formatDateTime does not take 1 argument",
       "formatDateTime(moment, pattern[, zone]), where a pipe gives the first"},
      {"${lower(x}", 10, "expected ',' or ')', found '}'", ""},
      {"${env:KEY}", 6, "expected '|' or '}', found ':'",
       "references as ${env:NAME} are resolved where credentials and settings are read, not in "
       "templates"},
      {"${x | formatDateTime('YYYY')}", 23,
       "formatDateTime: 'YYYY' is no date pattern: 'Y' is no field", "the calendar year is yyyy"},
      {"${x | formatDateTime('yyyy', 'Europe/Berln')}", 30,
       "formatDateTime: there is no time zone 'Europe/Berln'", "did you mean 'Europe/Berlin'?"},
      {"${x | formatDateTime(5)}", 22,
       "formatDateTime: the pattern has to be a date pattern in quotes, not a number", ""},
      {"${x | minus('1x')}", 15,
       "minus: '1x' is no duration: expected a unit: w, d, h, m, s, ms or us",
       "write it as 10m, 1h30m, 30d, 250ms, or in ISO 8601 as PT10M"},
      {"${x | floorTo('dai')}", 15, "floorTo: there is no such unit of time",
       "use second, minute, hour, day, week, month, year or a duration as '15m'"},
      {"${x | padLeft('4')}", 15, "padLeft: the width has to be a number, not a string", ""},
      {"${'a' | join(',')}", 3, "join: the list has to be a list, not a string", ""},
  };
  for (const auto& [text, column, message, hint] : cases) {
    const auto compiled = Template::Compile(text);
    ASSERT_FALSE(compiled) << text;
    EXPECT_EQ(compiled.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(compiled.error().place.column, column) << text;
    EXPECT_EQ(compiled.error().place.line, 0);
    EXPECT_EQ(compiled.error().message, message) << text;
    EXPECT_EQ(compiled.error().hint, hint) << text;
  }
  const auto path = Template::Compile("${x | jsonPath('$.a[')}");
  ASSERT_FALSE(path);
  EXPECT_GT(path.error().place.column, 16);
  const auto lines = Template::Compile("a\nb ${}");
  EXPECT_EQ(lines.error().place.line, 2);
  EXPECT_EQ(lines.error().place.column, 5);
  EXPECT_FALSE(Template::Compile("\xFF"));
}

TEST(Template, KnowsTheRootsOfPaths) {
  const TemplateOptions options{.roots = std::vector<std::string>{"window", "page"}};
  EXPECT_TRUE(Template::Compile("${window.from} ${page.x | default(page.y)}", options));
  const auto wrong = Template::Compile("a ${windw.from}", options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "there is nothing named 'windw' here");
  EXPECT_EQ(wrong.error().hint, "did you mean 'window'?");
  EXPECT_EQ(wrong.error().place.column, 5);
  EXPECT_EQ(Template::Compile("${x}", options).error().hint, "there are window, page");
  EXPECT_EQ(Template::Compile("${now}", options).error().hint, "for the function write now()");
}

TEST(Template, ListsThePathsThatItReads) {
  const auto compiled =
      Template::Compile("${a.b}${c['x y'][0] | default(a.b)} ${lower(d-e)} ${now()}").value();
  EXPECT_EQ(compiled.paths(), (std::vector<std::string>{"a.b", "c['x y'][0]", "d-e"}));
  EXPECT_FALSE(compiled.is_constant());
  EXPECT_TRUE(Template::Compile("$${a.b}").value().is_constant());
  EXPECT_TRUE(Template::Compile("").value().is_constant());
}

TEST(Template, FailsToRenderWithTheFunctionAndThePlace) {
  const Case cases[] = {
      {"${page.size | formatDateTime('yyyy')}",
       "error: column 15: formatDateTime: the moment has to be a moment (an RFC 3339 text), not a "
       "number (read it first, as | parseDateTime('epoch_s'))"},
      {"${ids | lower}",
       "error: column 9: lower: the text has to be a text, not an array (lower(text))"},
      {"a${ids}",
       "error: column 4: a text is needed, not an array (make a text of it, as | join(','))"},
      {"a${page}", "error: column 4: a text is needed, not an object"},
      {"${nested | join(',')}",
       "error: column 12: join: a text is needed, not an array (make a text of it, as | "
       "join(','))"},
      {"${doi | first}", "error: column 9: first: the list has to be a list (first(list))"},
      {"${big | plus(1)}", "error: column 9: plus: the result is too large a number"},
      {"${big | times(2)}", "error: column 9: times: the result is too large a number"},
      {"${1e308 | times(10)}", "error: column 11: times: the result is too large a number"},
      {"${doi | toNumber}",
       "error: column 9: toNumber: the text has to be a number in digits (toNumber(text))"},
      {"${page.number | substring(0.5)}",
       "error: column 17: substring: the start has to be a whole number, not a number "
       "(substring(text, start[, end]))"},
      {"${doi | split(empty)}",
       "error: column 9: split: the separator has to be a text that is not empty (split(text, "
       "separator))"},
      {"${if(5, 1)}",
       "error: column 3: if: the condition has to be true or false, not a number (if(condition, "
       "then[, otherwise]))"},
      {"${doi | padLeft(9, 'ab')}",
       "error: column 9: padLeft: the fill has to be one character (padLeft(text, width[, fill]))"},
      {"${window.to | plus(count)}",
       "error: column 15: plus: '12' is no duration: expected a unit: w, d, h, m, s, ms or us "
       "(write it as 10m, 1h30m, 30d, 250ms, or in ISO 8601 as PT10M)"},
      {"${window.to | plus('9000000d')}",
       "error: column 15: plus: the moment is outside the years 0001 to 9999"},
      {"${yes | plus(1)}",
       "error: column 9: plus: the value has to be a number, not a boolean "
       "(plus(value, other))"},
  };
  ExpectAll(cases);
}

TEST(Template, IsBoundedInEveryDirection) {
  EXPECT_EQ(Template::Compile(std::string(20'000, 'a')).error().code, ErrorCode::kLimit);

  std::string deep = "x";
  for (int i = 0; i < 2'000; ++i) deep = "lower(" + deep + ")";
  EXPECT_EQ(Template::Compile("${" + deep + "}").error().code, ErrorCode::kLimit);

  std::string piped = "${x";
  for (int i = 0; i < 200; ++i) piped += "|lower";
  EXPECT_EQ(Template::Compile(piped + "}").error().code, ErrorCode::kLimit);

  std::string wide = "${concat(x";
  for (int i = 0; i < 200; ++i) wide += ",x";
  EXPECT_EQ(Template::Compile(wide + ")}").error().code, ErrorCode::kLimit);

  // Each step multiplies the text by eight: the limit stops it long before it is made.
  std::string growing = "${'aaaaaaaa'";
  for (int i = 0; i < 50; ++i) growing += "|replace('a','aaaaaaaa')";
  EXPECT_EQ(Render(growing + "}").error().code, ErrorCode::kLimit);

  const RenderOptions small{.now = kNow, .limits = {.bytes_max = 10, .list_items_max = 3}};
  EXPECT_EQ(Render("${ids | join('-----')}", {}, small).error().code, ErrorCode::kLimit);
  EXPECT_EQ(Render("${concat(doi, doi)}", {}, small).error().code, ErrorCode::kLimit);
  EXPECT_EQ(Render("${doi}${doi}", {}, small).error().code, ErrorCode::kLimit);
  EXPECT_EQ(Render("${'a,b,c,d' | split(',')}", {}, small).error().code, ErrorCode::kLimit);
  EXPECT_EQ(Render("${'1234567' | urlEncode | base64}", {}, small).error().code, ErrorCode::kLimit);
  EXPECT_FALSE(Render("${'a' | padLeft(1000000000000)}", {}, small));
  EXPECT_EQ(Render("${doc | jsonPath('$..*')}", {}, small).error().code, ErrorCode::kLimit);
}

TEST(Template, EncodesEachPlaceholderForItsPlace) {
  const RenderOptions path{.now = kNow, .place = PathSegment};
  EXPECT_EQ(**Render("/works/${doi}/x y", {}, path), Value("/works/10.1000%2FABC/x y"));
  EXPECT_EQ(**Render("${doi}", {}, path), Value("10.1000%2FABC"));
  const auto refused = Render("/works/${'..'}", {}, path);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place.column, 10);
}

TEST(Template, IsSharedByThreads) {
  const auto compiled =
      Template::Compile(
          "${window.from | formatDateTime('yyyy-MM-dd', 'Europe/Berlin')}:${doc | "
          "jsonPath('$..id') | join(',')}")
          .value();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 500; ++n) {
        EXPECT_EQ(**compiled.Render(Context(), {.now = kNow}), Value("2026-03-01:1,2"));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(ValueTemplate, RendersTheStringsOfAValueInPlace) {
  const auto body = ParseJson(R"({
    "api_name": "daily", "token": "${page.token}", "limit": "${page.size}",
    "params": {"start": "${window.from | formatDateTime('yyyyMMdd')}", "ids": ["${ids}", "x", "${nothing}"]},
    "text": "\",\"injected\":\"${'\"}'}", "five": 5, "null": null
  })")
                        .value();
  const auto rendered = ValueTemplate::Compile(body).value().Render(Context(), {.now = kNow});
  ASSERT_TRUE(rendered && *rendered);
  EXPECT_EQ(PrintJson(**rendered), R"({"api_name":"daily","five":5,"limit":800,"null":null,)"
                                   R"("params":{"ids":[["a1","b2","c3"],"x"],"start":"20260301"},)"
                                   R"("text":"\",\"injected\":\"\"}"})");
}

TEST(ValueTemplate, NamesTheStringThatIsWrong) {
  const auto wrong = ValueTemplate::Compile(ParseJson(R"({"a/b":[1,"${lowr(x)}"]})").value());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().place.pointer, "/a~1b/1");
  EXPECT_EQ(wrong.error().place.column, 3);

  const auto compiled = ValueTemplate::Compile(ParseJson(R"({"a":["${ids | lower}"]})").value());
  const auto rendered = compiled.value().Render(Context(), {.now = kNow});
  ASSERT_FALSE(rendered);
  EXPECT_EQ(rendered.error().place.pointer, "/a/0");

  Value deep = "x";
  for (int i = 0; i < 100; ++i) deep = Value::Array{deep};
  EXPECT_EQ(ValueTemplate::Compile(deep).error().code, ErrorCode::kLimit);
}

// Any text survives being written as a literal.
TEST(Template, ReadsBackEveryTextThatIsEscaped) {
  std::mt19937_64 random(48);
  constexpr std::string_view kAlphabet = "ab$${}|'\"\\(), \n\r\t.";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto length = random() % 12; length > 0; --length) {
      text += kAlphabet[random() % kAlphabet.size()];
    }
    std::string literal;
    for (const char c : text) {
      if (c == '\\' || c == '\'') literal += '\\';
      literal += c;
    }
    ASSERT_EQ(**Render(fmt::format("${{'{}'}}", literal)), Value(text)) << literal;
  }
}

}  // namespace patra::template_test
