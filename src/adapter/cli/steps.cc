#include "adapter/cli/steps.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/plain_text.h"
#include "domain/word/step.h"

namespace patra::adapter::cli {
namespace {

struct StepRow {
  std::string_view name;
  std::string_view command;    // alone, where the step has no arguments
  std::string_view with = {};  // after the command, where it has: {} for each
};

constexpr auto kSteps = std::to_array<StepRow>({
    {"alerts.list", "patra alerts list"},
    {"backfill.gaps", "patra backfill --gaps", " {}"},
    {"backfill.window", "patra backfill", " {} --from {} --to {}"},
    {"cursor.list", "patra cursor list"},
    {"cursor.set", "patra cursor set", " {} TIME --reason WHY"},
    {"db.check", "patra db check"},
    {"fuse.reset", "patra fuse reset", " {} --reason WHAT-WAS-DONE"},
    {"gate.list", "patra gate list"},
    {"gate.reset", "patra gate reset", " {} --reason WHY"},
    {"harvest.again", "patra harvest", " {} --again"},
    {"harvest.run", "patra harvest", " {}"},
    {"harvest.window_again", "patra harvest", " {} --from {} --to {} --again"},
    {"heal.adjustments", "patra heal adjustments"},
    {"heal.release", "patra heal release", " {} {}"},
    {"quarantine.list", "patra quarantine list"},
    {"schedule.list", "patra schedule list"},
    {"source.check", "patra source check"},
    {"source.init", "patra source init", " {}"},
    {"source.list", "patra source list"},
    {"source.preview", "patra source preview"},
    {"source.resume", "patra source resume", " {}"},
    {"task.list", "patra task list"},
    {"task.requeue", "patra task requeue", " {} --reason WHY"},
    {"verify.run", "patra verify"},
    {"work.drain", "patra work --drain"},
    {"work.run", "patra work"},

    {"wish.all", "--all"},
    {"wish.auto", "--auto"},
    {"wish.expr_changed", "--expr-changed"},
    {"wish.fields", "--fields", " {}"},
    {"wish.from", "--from", " {}"},
    {"wish.from_raw", "--from-raw"},
    {"wish.gaps", "--gaps"},
    {"wish.gate", "--gate", " {}"},
    {"wish.id", "--id", " {}"},
    {"wish.ids", "--ids", " {}"},
    {"wish.lease", "--lease", " {}"},
    {"wish.max_requests", "--max-requests", " {}"},
    {"wish.mode", "--mode", " {}"},
    {"wish.page_size", "--page-size"},
    {"wish.parts", "--parts", " {}"},
    {"wish.path", "--path"},
    {"wish.query", "--query"},
    {"wish.rate", "--rate"},
    {"wish.release", "--release", " {}"},
    {"wish.rule", "--rule"},
    {"wish.set", "--set"},
    {"wish.signals", "--signals"},
    {"wish.source", "--source"},
    {"wish.sources", "--sources", " {}"},
    {"wish.spread", "--spread", " {}"},
    {"wish.stale", "--stale", " {}"},
    {"wish.step", "--step", " {}"},
    {"wish.to", "--to", " {}"},
    {"wish.until", "--until", " {}"},
    {"wish.wait_max", "--wait-max", " {}"},
});

// None where no row is for it, or the row takes other arguments.
std::optional<std::string> TypedOf(const domain::ReadStep& step) {
  const auto* row = std::ranges::find(kSteps, step.name, &StepRow::name);
  if (row == kSteps.end()) return std::nullopt;
  std::string typed(row->command);
  if (step.arguments.empty()) return typed;
  auto with = row->with;
  for (const auto& argument : step.arguments) {
    const auto hole = with.find("{}");
    // A bracket in what is typed would be taken for the next mark by whoever reads the text once more.
    if (hole == std::string_view::npos || argument.contains(domain::kStepOpens))
      return std::nullopt;
    typed += with.substr(0, hole);
    typed += ForShell(argument);
    with.remove_prefix(hole + 2);
  }
  if (with.find("{}") != std::string_view::npos) return std::nullopt;
  return typed += with;
}

// Calls `on_step` with every mark that is known, what to type for it, and `out`. Yields how far the text is certain.
template <typename OnStep>
std::size_t ReplaceSteps(std::string_view text, std::string& out, const OnStep& on_step) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto opening = std::min(text.find(domain::kStepOpens.front(), at), text.size());
    out += text.substr(at, opening - at);
    at = opening;
    const auto rest = text.substr(at);
    if (rest.empty() || domain::MayBecomeStep(rest)) break;
    const auto step = domain::ReadStepAt(rest);
    const auto typed = step ? TypedOf(*step) : std::nullopt;
    if (typed) {
      on_step(rest.substr(0, step->bytes), *typed, out);
      at += step->bytes;
    } else {
      out += rest.front();
      ++at;
    }
  }
  return at;
}

template <typename OnStep>
std::string AllReplaced(std::string_view text, const OnStep& on_step) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  // What could become a mark becomes none at the end of the text; one may still stand behind its first byte.
  while (at < text.size()) {
    at += ReplaceSteps(text.substr(at), out, on_step);
    if (at < text.size()) out += text[at++];
  }
  return out;
}

}  // namespace

std::string Typed(std::string_view text) {
  return AllReplaced(
      text, [](std::string_view, std::string_view typed, std::string& out) { out += typed; });
}

std::size_t AppendTyped(std::string_view text, std::string& out) {
  return ReplaceSteps(text, out,
                      [](std::string_view mark, std::string_view typed, std::string& to) {
                        to += typed.find_first_of("\"\\") == std::string_view::npos ? typed : mark;
                      });
}

std::string WithoutSteps(std::string_view json) {
  return AllReplaced(json, [](std::string_view mark, std::string_view, std::string& out) {
    out += "\\u2039";
    out += mark.substr(domain::kStepOpens.size());
  });
}

std::vector<std::string_view> KnownSteps() {
  std::vector<std::string_view> names;
  for (const auto& row : kSteps) names.push_back(row.name);
  return names;
}

}  // namespace patra::adapter::cli
