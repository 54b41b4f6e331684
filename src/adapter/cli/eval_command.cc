#include "adapter/cli/eval_command.h"

#include <fstream>
#include <istream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "base/canonical_json.h"
#include "base/cron.h"
#include "base/document.h"
#include "base/json_path.h"
#include "base/moment.h"
#include "base/path.h"
#include "base/template.h"
#include "base/time.h"
#include "base/time_zone.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kInputBytesMax = std::size_t{64} << 20;
constexpr int kFiringsMax = 100'000;

// Reads one byte more than allowed, so that an endless input ends.
Result<std::string> ReadStream(std::istream& stream, const std::string& name) {
  std::string bytes;
  char piece[65536];
  while (stream.read(piece, sizeof piece) || stream.gcount() > 0) {
    bytes.append(piece, static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > kInputBytesMax) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("{} is larger than {} MiB", name, kInputBytesMax >> 20));
    }
  }
  if (stream.bad()) return Fail(ErrorCode::kNotFound, fmt::format("cannot read {}", name));
  return bytes;
}

Result<std::string> ReadInput(const std::string& file, const Console& console) {
  if (file == "-") return ReadStream(console.in, "standard input");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return Fail(ErrorCode::kNotFound, fmt::format("cannot open {}", file));
  return ReadStream(stream, file);
}

// The expression is the user's and its errors are 78; everything about the input is 1.
int InputProblem(const Console& console, const std::string& file, Error error) {
  if (error.place.file.empty()) error.place.file = file == "-" ? "standard input" : file;
  Report(console, error);
  return kFailed;
}

int ExpressionProblem(const Console& console, std::string_view expression, const Error& error) {
  ReportIn(console, expression, error);
  return kInvalidConfiguration;
}

void PrintArray(const Console& console, const std::vector<Node>& nodes) {
  std::string out = "[";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0) out += ',';
    AppendJson(nodes[i], out);
  }
  fmt::print(console.out, "{}]\n", out);
}

}  // namespace

int RunEvalJsonPath(const EvalPath& command, const Console& console) {
  const auto path = JsonPath::Compile(command.expression);
  if (!path) return ExpressionProblem(console, command.expression, path.error());
  auto input = ReadInput(command.file, console);
  if (!input) return InputProblem(console, command.file, input.error());
  const auto document = Document::ParseJson(*std::move(input));
  if (!document) return InputProblem(console, command.file, document.error());

  const auto selected = path->SelectLocated(document->root());
  if (!selected) return InputProblem(console, command.file, selected.error());
  if (command.locations) {
    for (const auto& [node, location] : *selected) fmt::print(console.out, "{}\n", location);
    return kComplete;
  }
  std::vector<Node> nodes;
  nodes.reserve(selected->size());
  for (const auto& [node, location] : *selected) nodes.push_back(node);
  PrintArray(console, nodes);
  return kComplete;
}

int RunEvalXPath(const EvalPath& command, const Console& console) {
  const auto path = Path::Compile(
      command.expression, {.language = PathLanguage::kXPath, .namespaces = command.namespaces});
  if (!path) return ExpressionProblem(console, command.expression, path.error());
  auto input = ReadInput(command.file, console);
  if (!input) return InputProblem(console, command.file, input.error());
  const auto document = Document::ParseXml(*std::move(input));
  if (!document) return InputProblem(console, command.file, document.error());

  Computed computed;
  const auto selected = path->Select(document->root(), computed);
  if (!selected) return InputProblem(console, command.file, selected.error());
  PrintArray(console, *selected);
  return kComplete;
}

int RunEvalCanonical(const std::string& file, const Console& console) {
  const auto input = ReadInput(file, console);
  if (!input) return InputProblem(console, file, input.error());
  const auto canonical = CanonicalizeJson(*input);
  if (!canonical) return InputProblem(console, file, canonical.error());
  (console.exact != nullptr ? *console.exact : console.out) << *canonical;
  return kComplete;
}

int RunEvalTemplate(const EvalTemplate& command, const Clock& clock, const Console& console) {
  const auto compiled = Template::Compile(command.text);
  if (!compiled) return ExpressionProblem(console, command.text, compiled.error());

  auto now = clock.Now();
  if (command.now) {
    const auto moment = ParseMoment(*command.now, now);
    if (!moment) return ExpressionProblem(console, *command.now, moment.error());
    now = *moment;
  }
  Value context = Value::Object{};
  if (!command.context_file.empty()) {
    const auto input = ReadInput(command.context_file, console);
    if (!input) return InputProblem(console, command.context_file, input.error());
    auto parsed = ParseJson(*input);
    if (!parsed) return InputProblem(console, command.context_file, parsed.error());
    context = *std::move(parsed);
  }

  const auto rendered = compiled->Render(context, {.now = now});
  if (!rendered) return ExpressionProblem(console, command.text, rendered.error());
  if (!*rendered) {
    if (!console.quiet) fmt::print(console.err, "patra: omitted, because a placeholder is null\n");
    return kComplete;
  }
  const auto* text = (*rendered)->AsString();
  fmt::print(console.out, "{}\n", text != nullptr ? *text : PrintJson(**rendered));
  return kComplete;
}

int RunEvalCron(const EvalCron& command, const Clock& clock, const Console& console) {
  const auto cron = Cron::Parse(command.expression);
  if (!cron) return ExpressionProblem(console, command.expression, cron.error());
  const auto zone = TimeZone::Find(command.zone);
  if (!zone) return ExpressionProblem(console, command.zone, zone.error());
  auto moment = clock.Now();
  if (command.from) {
    const auto from = ParseMoment(*command.from, moment, *zone);
    if (!from) return ExpressionProblem(console, *command.from, from.error());
    moment = *from;
  }

  for (int i = 0; i < std::min(command.count, kFiringsMax); ++i) {
    const auto next = cron->NextAfter(moment, *zone);
    if (!next) {
      if (i == 0) fmt::print(console.err, "patra: '{}' never fires again\n", command.expression);
      return i == 0 ? kFailed : kComplete;
    }
    fmt::print(console.out, "{}\n", FormatRfc3339(*next));
    moment = *next;
  }
  return kComplete;
}

}  // namespace patra::adapter::cli
