// `patra eval`: tries an expression on a document, for people who write source definitions.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "adapter/cli/console.h"
#include "base/clock.h"

namespace patra::adapter::cli {

struct EvalPath {
  std::string expression;
  std::string file = "-";                         // "-" is standard input
  std::map<std::string, std::string> namespaces;  // XPath prefixes
  bool locations = false;                         // normalized paths instead of values
};

struct EvalTemplate {
  std::string text;
  std::string context_file;
  std::optional<std::string> now;
};

struct EvalCron {
  std::string expression;
  std::string zone = "UTC";
  std::optional<std::string> from;  // default: now
  int count = 5;
};

int RunEvalJsonPath(const EvalPath& command, const Console& console);
int RunEvalXPath(const EvalPath& command, const Console& console);
int RunEvalCanonical(const std::string& file, const Console& console);
int RunEvalTemplate(const EvalTemplate& command, const Clock& clock, const Console& console);
int RunEvalCron(const EvalCron& command, const Clock& clock, const Console& console);

}  // namespace patra::adapter::cli
