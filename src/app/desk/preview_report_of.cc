#include "app/desk/preview_report_of.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/duration.h"
#include "domain/page/outline.h"
#include "domain/page/unmet_fields.h"

namespace patra::app {
namespace {

std::string AnswerLine(const PagePreview& page) {
  if (!page.response) return page.body.empty() ? "" : fmt::format("{} bytes", page.body.size());
  const auto& response = *page.response;
  return fmt::format(
      "{}, {}, {} bytes in {}", response.status,
      response.content_type.empty() ? "no type" : response.content_type, response.body.size(),
      FormatDuration(std::chrono::floor<std::chrono::milliseconds>(response.latency)));
}

std::vector<std::string> OutlineLinesOf(const PagePreview& page) {
  if (page.body.empty()) return {};
  const auto parsed = domain::ParseAnswer(page.body);
  if (parsed) return domain::OutlineOf(*parsed);
  return {fmt::format("neither JSON nor XML: {}", parsed.error().Describe())};
}

PreviewedPage ShownPage(const PagePreview& page, std::int64_t records_max) {
  const auto& content = page.content;
  PreviewedPage shown{.what = page.what,
                      .method = page.request.method,
                      .url = page.request.url,
                      .headers = page.request.headers,
                      .body = page.request.body,
                      .answer = AnswerLine(page),
                      .outline = OutlineLinesOf(page),
                      .verdict = page.problem,
                      .is_later = page.is_later,
                      .records = std::ssize(content.records),
                      .bad_records = std::ssize(content.bad_records),
                      .ids = std::ssize(content.ids),
                      .announced = content.announced,
                      .next = page.next};
  const auto first_of = [&](const auto& all) {
    return std::span(all).first(
        static_cast<std::size_t>(std::min(std::ssize(all), std::ptrdiff_t{records_max})));
  };
  for (const auto& record : first_of(content.records)) {
    const auto at = static_cast<std::size_t>(&record - content.records.data());
    shown.first_records.push_back({.id = record.id,
                                   .updated = FormatRfc3339(record.version.updated_at),
                                   .is_deleted = record.version.deleted,
                                   .raw = at < content.bytes.size() ? content.bytes[at] : "",
                                   .mapped = record.fields});
  }
  for (const auto& bad : first_of(content.bad_records))
    shown.first_bad.push_back(
        fmt::format("{} {}: {}", bad.id.value_or("without an id"), bad.path, bad.reason));
  for (const auto& id : first_of(content.ids)) shown.first_ids.push_back(id);
  return shown;
}

}  // namespace

PreviewReport ReportOf(const domain::SpecSnapshot& spec, const domain::Window& window,
                       const std::vector<PagePreview>& seen, std::int64_t records_max) {
  PreviewReport report{
      .source = spec.provenance, .endpoint = spec.endpoint, .window = window.Describe()};
  for (const auto& page : seen) {
    const bool is_detail = !page.asked_ids.empty() && spec.details;
    domain::UnmetFields unmet(is_detail ? spec.details->fields : spec.fields);
    unmet.Look(page.content.records);
    if (unmet.records() == 0 || page.content.bytes.empty()) continue;
    for (const auto* field : unmet.fields())
      report.warnings.push_back(domain::WhyUnmet(*field, page.content.bytes.front()));
  }
  for (const auto& page : seen) report.pages.push_back(ShownPage(page, records_max));
  return report;
}

}  // namespace patra::app
