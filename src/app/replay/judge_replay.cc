#include "app/replay/judge_replay.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace patra::app {
namespace {

using Kind = RecordDifference::Kind;

bool Succeeded(const RecordedBatch& batch) { return domain::IsCommitted(batch.status); }

// "1 changed, 2 gone"
std::string Summary(const ReplayReport& report) {
  std::string text;
  for (const auto kind : {Kind::kChanged, Kind::kOlder, Kind::kNew, Kind::kGone, Kind::kBad}) {
    if (const auto count = report.Count(kind); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, Name(kind));
  }
  return text;
}

std::optional<std::string> GoodDiffer(const ReplayReport& report, const RecordedBatch& batch) {
  const auto recorded = batch.counts.received - batch.counts.quarantined;
  const auto came = report.got.records - report.got.bad;
  if (came == recorded) return std::nullopt;
  return fmt::format("{} good records are recorded, {} came", recorded, came);
}

// The account counts an id whose details never came as a bad record; one whose details came then, and do not come any
// more, is gone. Of a page that was taken apart, the raw vault has the parts that came: what could not be had is not
// among them.
std::optional<std::string> BadDiffer(const ReplayReport& report, const RecordedBatch& batch) {
  const auto recorded = batch.counts.quarantined;
  const auto never_came =
      std::max<std::int64_t>(report.got.unanswered - report.Count(Kind::kGone), 0);
  const auto came = report.got.bad + never_came;
  if (came == recorded || (report.from_raw && came < recorded)) return std::nullopt;
  return fmt::format("{} bad records are recorded, {} came", recorded, came);
}

}  // namespace

void Judge(ReplayReport& report, const RecordedBatch& batch, bool has_ids_only) {
  report.verdict = ReplayVerdict::kDiffers;
  if (!Succeeded(batch)) {
    report.reason = fmt::format("the batch is {}, and its page can be had", Code(batch.status));
    return;
  }
  // How many are bad is counted; that one is bad is no difference if it was so then.
  const auto changes = [](const RecordDifference& difference) {
    return difference.kind != Kind::kBad;
  };
  const bool has_changes = std::ranges::any_of(report.differences, changes);
  const auto good_differ = has_ids_only ? std::nullopt : GoodDiffer(report, batch);
  const auto bad_differ = has_ids_only ? std::nullopt : BadDiffer(report, batch);
  if (!has_changes && !good_differ && !bad_differ) {
    report.verdict = ReplayVerdict::kAgrees;
    if (!report.is_same_body() && !report.recorded.body_hash.empty())
      report.reason = "the answer has other bytes, and the same records";
    return;
  }
  report.reason = bad_differ ? *bad_differ : has_changes ? Summary(report) : *good_differ;
  const bool is_since = std::ranges::all_of(report.differences | std::views::filter(changes),
                                            &RecordDifference::is_since);
  if (has_changes && is_since && !bad_differ && !report.is_same_body())
    report.verdict = ReplayVerdict::kChangedSince;
}

std::optional<std::string> WhyNotCommit(const ReplayReport& report, const RecordedBatch& batch,
                                        bool has_ids_only) {
  const auto& got = report.got;
  if (has_ids_only) return "this batch lists ids; records come with the batches after it";
  if (batch.status == domain::BatchStatus::kRunning ||
      batch.status == domain::BatchStatus::kPlanned)
    return fmt::format("the batch is {}: its worker may still bring it", Code(batch.status));
  if (got.bad > 0) return fmt::format("{} records of the page are bad", got.bad);
  if (Succeeded(batch) && got.records != batch.counts.received)
    return fmt::format("{} records are recorded, {} came", batch.counts.received, got.records);
  if (!Succeeded(batch) && got.unanswered > 0)
    return fmt::format("{} of the ids that were asked for have no answer", got.unanswered);
  if (!Succeeded(batch) && got.announced && *got.announced < got.records)
    return fmt::format("{} records are announced, {} came", *got.announced, got.records);
  return std::nullopt;
}

}  // namespace patra::app
