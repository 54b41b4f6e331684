#include "domain/gate/gate_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

constexpr Duration kWaitLeast = std::chrono::milliseconds(100);
constexpr Duration kWaitMost = std::chrono::minutes(2);

const std::vector<SettingRow<GateSettings>>& GateTable() {
  using G = GateSettings;
  static const std::vector<SettingRow<G>> table{
      {.name = "rate",
       .field = [](G& g) -> std::string& { return g.rate; },
       .doc = "how fast every operation is at most, such as 2/s, beside what definitions allow; "
              "what a command says itself counts more",
       .text_kind = ScalarKind::kRate},
      {.name = "wait_max",
       .field = [](G& g) -> Duration& { return g.wait_max; },
       .doc = "how long a worker waits for a permit before it gives its task back and does "
              "something else"},
      {.name = "url",
       .field = [](G& g) -> std::string& { return g.url; },
       .doc =
           "the Redis that counts the requests of everybody who uses it, redis://HOST/0; without "
           "it a file beside the store counts those of its processes"}};
  return table;
}

}  // namespace

Shape GateShape() { return ShapeOf(GateTable()); }

GateSettings ReadGateSettings(const DefinitionNode& checked, std::vector<Error>& problems) {
  auto settings = ReadSection(checked, "gate", GateTable(), problems);
  if (settings.wait_max >= kWaitLeast && settings.wait_max <= kWaitMost) return settings;
  problems.push_back(
      {ErrorCode::kInvalidInput,
       fmt::format("wait_max cannot be {}", FormatDuration(settings.wait_max)),
       checked.At("gate.wait_max")->place,
       fmt::format("{} to {}", FormatDuration(kWaitLeast), FormatDuration(kWaitMost))});
  return {};
}

std::vector<Setting> ShowGateSettings(const GateSettings& settings) {
  return ShowSection(GateTable(), settings);
}

}  // namespace patra::domain
