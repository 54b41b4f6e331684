#include "domain/schedule/job_shape.h"

#include "domain/word/execution.h"

namespace patra::domain {
namespace {

Shape JobShape() {
  const auto scalar = [](ScalarKind kind) { return Shape{.scalar = kind}; };
  const auto one_of = [](std::vector<std::string> codes) {
    return Shape{.scalar = ScalarKind::kCode, .codes = std::move(codes)};
  };
  return {
      .kind = Shape::Kind::kMap,
      .keys = {
          {"job", scalar(ScalarKind::kText), "The name of the job", {}, true},
          {"source", scalar(ScalarKind::kText), "SOURCE or SOURCE/ENDPOINT", {}, true},
          {"operation", one_of({"harvest", "update", "backfill"}), "What is done", "harvest"},
          {"cron", scalar(ScalarKind::kText), "When, such as '30 2 * * *' or @daily", {}, true},
          {"timezone", scalar(ScalarKind::kTimezone), "Whose clock the timetable goes by", "UTC"},
          {"arguments",
           {.kind = Shape::Kind::kTree},
           "What a command could wish, such as stale: 30d"},
          {"query", scalar(ScalarKind::kText), "In the provider's own syntax"},
          {"misfire", one_of(LowerCodes<Misfire>()),
           "What becomes of firings that were missed: one for all of them, or none", "once"},
          {"jitter", scalar(ScalarKind::kDuration), "Over which starts are spread", "0s"},
          {"enabled", scalar(ScalarKind::kFlag), "Whether it fires by itself", "true"}}};
}

}  // namespace

const Shape& ScheduleShape() {
  static const Shape shape{
      .kind = Shape::Kind::kMap,
      .keys = {{"jobs",
                {.kind = Shape::Kind::kList, .of = std::make_shared<const Shape>(JobShape())},
                "A list of jobs",
                {},
                true}}};
  return shape;
}

}  // namespace patra::domain
