// Serves the API over a store that was filled by the simulator, for tests that look at it from outside: says where and with
// which tokens on one line, and ends when its standard input does.
//
//   patra_api_world sqlite:FILE FOLDER [CERTIFICATE KEY]
#include <cstdio>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "adapter/rest/server.h"
#include "base/canonical_json.h"
#include "boot/application.h"
#include "boot/open_desk.h"
#include "boot/open_engine.h"
#include "sim/simulator.h"

namespace patra {
namespace {

// A source that is well, one whose records cannot be taken in, and one that is not there.
constexpr std::string_view kDefinition = R"yaml(source: NAME
name: Of the test
http:
  base_url: URL
  allow_http: true
limits:
  - {rate: 100/s, page: "http://127.0.0.1/limits"}
retry: {attempts: 1}
window:
  by: updated_at
  start: 2020-01-01
  granularity: microsecond
  safety_lag: 2h
  settles: true
  width: 1d..7d
response:
  items: $.items
  id: $.id
  updated: $.updated
  deleted: $.deleted
  total: $.total
endpoints:
  items:
    request:
      path: PATH
      query: {from: "${window.from}", to: "${window.to}", page: "${page.number}", size: "${page.size}"}
    paging: {style: page, first_page: 1, size: 50}
    fields:
      title: {path: $.title, as: text, required: true}
      FIELD: {path: $.FIELD, as: text, required: REQUIRED}
)yaml";

struct WorldSource {
  std::string name;
  std::string path;
  std::string field;
  std::string required;
};

void Replace(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

void WriteDefinition(const WorldSource& source, const std::string& url, const std::string& folder) {
  std::string text(kDefinition);
  Replace(text, "NAME", source.name);
  Replace(text, "URL", url);
  Replace(text, "PATH", source.path);
  Replace(text, "FIELD", source.field);
  Replace(text, "REQUIRED", source.required);
  std::ofstream(folder + "/" + source.name + ".yaml") << text;
}

class WorldServices final : public adapter::rest::Services {
 public:
  WorldServices(std::shared_ptr<app::Desk> desk, std::shared_ptr<app::Operations> engine,
                std::unique_ptr<app::SourceLibrary> library)
      : desk_(std::move(desk)), engine_(std::move(engine)), library_(std::move(library)) {}

  app::Desk& desk() override { return *desk_; }
  app::Desk& desk_for_changes() override { return *desk_; }
  app::Operations& operations() override { return *engine_; }
  app::SourceLibrary& library() override { return *library_; }
  const Clock& clock() const override { return clock_; }
  std::vector<std::string> NotReady() override { return {}; }
  std::string Metrics() override { return "patra_up 1\n"; }

 private:
  SystemClock clock_;
  std::shared_ptr<app::Desk> desk_;
  std::shared_ptr<app::Operations> engine_;
  std::unique_ptr<app::SourceLibrary> library_;
};

Result<void> Fill(app::Operations& engine, app::Desk& desk, const std::string& folder) {
  for (const std::string source : {"well", "broken", "missing"}) {
    app::PlanRequest plan{.sources_folder = folder, .from = "-45d", .to = "-10d"};
    plan.source.target = source;
    const auto done = engine.Run(plan, {.wait_max = "5s"}, [](const auto&) {});
    if (!done) std::cerr << source << ": " << done.error().Describe() << "\n";
  }
  const domain::Actor anna{.name = "anna"};
  PATRA_TRY(desk.holds().Pause({.target = "broken", .reason = "of the test"}, anna));
  PATRA_TRY(desk.signals().Add("well/items", {.item_id = "1", .type = "EXTERNAL", .origin = "t"}));
  return {};
}

Result<int> Serve(const std::string& database, const std::string& folder,
                  adapter::rest::ServerOptions options) {
  auto simulator = PATRA_TRY(sim::Simulator::Start(
      {.size = 20'000, .now = SystemClock().Now(), .speed = 1, .enforce_limits = false}));
  const std::vector<WorldSource> sources{{"well", "/rest/page/items", "kind", "false"},
                                         {"broken", "/rest/page/items", "abstract", "true"},
                                         {"missing", "/rest/nothing", "kind", "false"}};
  for (const auto& source : sources) WriteDefinition(source, simulator->url(), folder);
  boot::Application application;
  auto engine = PATRA_TRY(boot::OpenEngine({.database = database,
                                            .allow_loopback = true,
                                            .log = {.print = [](std::string_view) {}},
                                            .sources_folder = folder}));
  auto desk = PATRA_TRY(boot::OpenDesk(
      {.database = database, .sources_folder = folder, .changes = true, .makes = true}));
  PATRA_TRY(Fill(*engine, *desk, folder));

  Value::Object tokens;
  for (const auto access :
       {domain::Access::kViewer, domain::Access::kOperator, domain::Access::kAdmin}) {
    const auto role = domain::LowerCode(CodeOf(access));
    tokens[role] =
        PATRA_TRY(desk->tokens().Create({.name = role, .access = access}, {.name = "the test"}))
            .token;
  }
  WorldServices services(desk, engine, application.OpenLibrary(folder));
  SystemClock clock;
  options.bounds.caller = {.per_second = 100'000, .at_once = 100'000};
  const auto server = PATRA_TRY(adapter::rest::Server::Start(options, services, clock));
  std::cout << CanonicalJson(Value::Object{{"url", server->url()}, {"tokens", std::move(tokens)}})
            << std::endl;
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
  server->Stop(std::chrono::seconds(5));
  return 0;
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) return 2;
  patra::adapter::rest::ServerOptions options{.listen = "127.0.0.1:0"};
  if (argc == 5) {
    options.certificate_file = argv[3];
    options.key_file = argv[4];
  }
  const auto code = patra::Serve(argv[1], argv[2], options);
  if (!code) std::cerr << code.error().Describe() << "\n";
  return code.value_or(1);
}
