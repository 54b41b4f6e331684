#include "adapter/rest/steps.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "domain/word/step.h"

namespace patra::adapter::rest {
namespace {

struct StepRow {
  std::string_view name;
  std::string_view call;  // empty: only who sits at the machine can do it
  std::string_view with;  // what its arguments are, in their order, between blanks
};

constexpr auto kCalls = std::to_array<StepRow>({
    {"alerts.list", "GET /api/v1/alerts", ""},
    {"backfill.gaps", "POST /api/v1/backfills", "gaps source"},
    {"backfill.window", "POST /api/v1/backfills", "source from to"},
    {"cursor.list", "GET /api/v1/cursors", ""},
    {"cursor.set", "POST /api/v1/cursors/set", "cursor"},
    {"db.check", "", ""},
    {"fuse.reset", "POST /api/v1/fuses/reset", "target"},
    {"gate.list", "GET /api/v1/gate/keys", ""},
    {"gate.reset", "POST /api/v1/gate/keys/reset", "key"},
    {"harvest.again", "POST /api/v1/harvests", "source"},
    {"harvest.run", "POST /api/v1/harvests", "source"},
    {"harvest.window_again", "POST /api/v1/harvests", "source from to"},
    {"heal.adjustments", "GET /api/v1/heal/adjustments", ""},
    {"heal.release", "POST /api/v1/heal/adjustments/take-back", "target kind"},
    {"quarantine.list", "GET /api/v1/quarantine", ""},
    {"schedule.list", "GET /api/v1/jobs", ""},
    {"source.check", "GET /api/v1/sources/check", ""},
    {"source.init", "", "source"},
    {"source.list", "GET /api/v1/sources", ""},
    {"source.preview", "POST /api/v1/previews", "source"},
    {"source.resume", "POST /api/v1/sources/resume", "target"},
    {"task.list", "GET /api/v1/tasks", ""},
    {"task.requeue", "POST /api/v1/tasks/{id}/requeue", "id"},
    {"verify.run", "GET /api/v1/verify", ""},
    {"work.drain", "", ""},
    {"work.run", "", ""},
});

// What is no deed of its own, but a member of a request.
constexpr std::string_view kWishes = "wish.";

std::string_view NextWord(std::string_view& words) {
  const auto end = words.find(' ');
  const auto word = words.substr(0, end);
  words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  return word;
}

// "page_size" is written "pageSize" here.
std::string MemberName(std::string_view wish) {
  std::string name;
  bool raises = false;
  for (const char c : wish) {
    if (c == '_') {
      raises = true;
    } else {
      name += raises && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      raises = false;
    }
  }
  return name;
}

std::string WordsFor(const domain::ReadStep& step) {
  if (step.name.starts_with(kWishes)) {
    const auto name = MemberName(std::string_view(step.name).substr(kWishes.size()));
    return step.arguments.empty() ? name
                                  : fmt::format("{}: {}", name, fmt::join(step.arguments, " "));
  }
  const auto row = std::ranges::find(kCalls, std::string_view(step.name), &StepRow::name);
  const bool is_call = row != kCalls.end() && !row->call.empty();
  std::string words = is_call ? std::string(row->call) : step.name;
  auto names = row == kCalls.end() ? std::string_view() : row->with;
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const auto name = NextWord(names);
    words += i == 0 ? " with " : ", ";
    words += name.empty() ? step.arguments[i] : fmt::format("{} {}", name, step.arguments[i]);
  }
  return words;
}

template <typename OnText, typename OnStep>
void ForEachPart(std::string_view text, const OnText& on_text, const OnStep& on_step) {
  while (!text.empty()) {
    const auto opening = text.find(domain::kStepOpens);
    on_text(text.substr(0, opening));
    if (opening == std::string_view::npos) return;
    text.remove_prefix(opening);
    if (const auto step = domain::ReadStepAt(text)) {
      on_step(*step);
      text.remove_prefix(step->bytes);
    } else {
      on_text(text.substr(0, domain::kStepOpens.size()));
      text.remove_prefix(domain::kStepOpens.size());
    }
  }
}

}  // namespace

std::string Readable(std::string_view text) {
  std::string readable;
  readable.reserve(text.size());
  ForEachPart(
      text, [&](std::string_view part) { readable += part; },
      [&](const domain::ReadStep& step) { readable += WordsFor(step); });
  return readable;
}

void AppendSteps(std::string_view text, Value::Array& steps) {
  ForEachPart(
      text, [](std::string_view) {},
      [&](const domain::ReadStep& step) {
        Value one(Value::Object{
            {"step", step.name},
            {"arguments", Value::Array(step.arguments.begin(), step.arguments.end())}});
        if (std::ranges::find(steps, one) == steps.end()) steps.push_back(std::move(one));
      });
}

std::vector<KnownStep> KnownSteps() {
  std::vector<KnownStep> steps;
  for (const auto& row : kCalls) steps.push_back({row.name, row.call});
  return steps;
}

}  // namespace patra::adapter::rest
