#include "domain/settings/workplace_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

const std::vector<SettingRow<Workplace>>& WorkplaceTable() {
  using W = Workplace;
  static const std::vector<SettingRow<W>> table{
      {.name = "database",
       .field = [](W& w) -> std::string& { return w.database; },
       .doc = "the store: a file, sqlite:FILE or mysql://USER@HOST/DATABASE; beside the "
              "configuration where no folder is named"},
      {.name = "sources",
       .field = [](W& w) -> std::string& { return w.sources; },
       .doc = "the folder of the definitions; without it the shipped ones, else ./sources"},
      {.name = "log.level",
       .field = [](W& w) -> std::string& { return w.log_level; },
       .doc = "what is logged on standard error",
       .codes = {"debug", "info", "warn", "error"}},
      {.name = "log.format",
       .field = [](W& w) -> std::string& { return w.log_format; },
       .doc = "auto: text on a terminal, elsewhere JSON, one object a line",
       .codes = {"auto", "text", "json"}},
      {.name = "log.sample",
       .field = [](W& w) -> double& { return w.log_sample; },
       .doc = "of a service: the part of all runs whose batches and requests are logged where they "
              "are well; warnings, errors and whatever a command does always are",
       .is_part = true},
      {.name = "log.slow_statement",
       .field = [](W& w) -> Duration& { return w.slow_statement; },
       .doc = "statements of the store that take that long are logged, each once a minute at most; "
              "0s logs none"},
      {.name = "trace.endpoint",
       .field = [](W& w) -> std::string& { return w.trace_endpoint; },
       .doc = "a collector that takes spans by OTLP over HTTP, such as "
              "http://127.0.0.1:4318/v1/traces; without it there are none"},
      {.name = "network.loopback",
       .field = [](W& w) -> bool& { return w.allows_loopback; },
       .doc = "whether providers may be on this machine"},
      {.name = "network.allowed",
       .field = [](W& w) -> std::string& { return w.networks; },
       .doc = "networks that are not public and may be asked, divided by commas"}};
  return table;
}

}  // namespace

Shape WorkplaceShape() { return ShapeOf(WorkplaceTable()); }

Workplace ReadWorkplace(const DefinitionNode& checked, std::vector<Error>& problems) {
  return ReadSection(checked, "", WorkplaceTable(), problems);
}

std::vector<Setting> WorkplaceSettings(const Workplace& workplace) {
  return ShowSection(WorkplaceTable(), workplace);
}

}  // namespace patra::domain
