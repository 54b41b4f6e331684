#include "domain/alert/alert_kind.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/result.h"
#include "domain/word/step.h"

namespace patra::domain {
namespace {

const AlertRow& RowOf(AlertKind kind) {
  const auto* found = std::ranges::find(kAlertRows, kind, &AlertRow::kind);
  PATRA_ASSERT(found != kAlertRows.end());
  return *found;
}

std::string MessageOf(const AlertRow& row, const AlertAbout& about, std::string_view reason) {
  const bool says_why = row.message.find("{reason}") != std::string_view::npos;
  const auto at = about.source + "/" + about.endpoint;
  auto message = fmt::format(fmt::runtime(row.message), fmt::arg("reason", reason),
                             fmt::arg("at", at), fmt::arg("step_at", StepArgument(at)));
  if (!says_why && !reason.empty()) message += fmt::format(" ({})", reason);
  return message;
}

}  // namespace

std::string AlertKey(AlertKind kind, const AlertAbout& about) {
  return fmt::format("{}/{}/{}", RowOf(kind).key, about.source,
                     about.name.empty() ? about.endpoint : about.name);
}

Alert AlertOf(AlertKind kind, const AlertAbout& about, std::string_view reason,
              std::string details) {
  const auto& row = RowOf(kind);
  return {.key = AlertKey(kind, about),
          .severity = row.severity,
          .provenance = about.source,
          .endpoint = about.endpoint,
          .message = MessageOf(row, about, reason),
          .details = std::move(details)};
}

}  // namespace patra::domain
