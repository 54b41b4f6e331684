#include "app/remap/remap_records.h"

#include <limits>

#include <fmt/format.h>

#include "app/remap/look_anew.h"
#include "domain/item/mapped_anew.h"

namespace patra::app {
namespace {

constexpr int kPagesAtOnce = 200;
// Before anything is written, so many pages show what is going to change.
constexpr std::int64_t kPagesLookedAt = 20;
// What needed no writing is noted this often: so much is read again after a crash.
constexpr std::int64_t kNoteEvery = 50;
// Newer than anything that is stored: what it would be, were it applied.
constexpr std::int64_t kNextGeneration = std::numeric_limits<std::int64_t>::max();

domain::Lane LaneOf(const domain::SpecSnapshot& spec) {
  return {spec.provenance, spec.endpoint, domain::Operation::kHarvest};
}

void Tell(const Remap& remap, RemapReport& report) {
  const auto& sums = remap.sums;
  report.pages = sums.pages;
  report.pages_lost = sums.pages_lost;
  report.records = sums.records;
  report.inserted = sums.inserted;
  report.updated = sums.updated;
  report.unchanged = sums.unchanged;
  report.left_alone = sums.left_alone;
  report.bad = sums.bad;
}

// Whether any of the page's records is to be written; what is not is counted.
bool NeedsWriting(const MappedPage& page, const domain::StoredItems& stored, RemapSums& sums) {
  std::int64_t same = 0;
  std::int64_t left_alone = 0;
  for (const auto& record : page.content.records) {
    const auto found = stored.find(record.id);
    if (found == stored.end()) return true;
    switch (domain::WhoDecides(found->second, record, page.batch.lineage.batch)) {
      case domain::Decides::kThisPage:
        if (!domain::IsAsItWas(found->second, record)) return true;
        ++same;
        break;
      case domain::Decides::kItsOwnPage:
        ++left_alone;
        break;
      case domain::Decides::kVersions:
        return true;
    }
  }
  sums.unchanged += same;
  sums.left_alone += left_alone;
  return false;
}

}  // namespace

Result<RemapReport> RemapRecords::Run(const RemapCommand& command, const Remapping::OnLook& on_look,
                                      const Remapping::OnProgress& on_progress) {
  const auto lane = LaneOf(command.spec);
  RemapReport report{
      .source = lane.provenance, .endpoint = lane.endpoint, .dry_run = command.dry_run};
  report.look = PATRA_TRY(Look(command, lane));
  on_look(report);
  if (command.dry_run) return report;
  auto remap = PATRA_TRY(store_.Begin({.lane = lane,
                                       .mapping_hash = domain::ExprPrototypeHash(command.spec),
                                       .since = command.since},
                                      command.decision));
  report.is_taken_up = remap.is_taken_up;
  report.generation = remap.generation;
  PATRA_TRY(views_.RefreshItemView(command.spec));
  PATRA_TRY(Apply(remap, command.decision, report, on_progress));
  Tell(remap, report);
  PATRA_TRY(store_.Finish(remap));
  return report;
}

Result<RemapLook> RemapRecords::Look(const RemapCommand& command, const domain::Lane& lane) {
  LookAnew look(batches_);
  RemapPlace at;
  std::int64_t seen = 0;
  while (true) {
    const auto pages = PATRA_TRY(store_.Pages(lane, command.since, at, kPagesAtOnce));
    for (const auto& page : pages) {
      const bool is_enough = !command.dry_run && seen == kPagesLookedAt;
      if (is_enough) return std::move(look).Finish(false);
      const auto read = PATRA_TRY(vault_.Read(page, kNextGeneration));
      if (const auto* mapped = std::get_if<MappedPage>(&read)) {
        PATRA_TRY(look.Note(*mapped));
      } else {
        look.Note(std::get<LostPage>(read));
      }
      ++seen;
    }
    if (std::ssize(pages) < kPagesAtOnce) return std::move(look).Finish(true);
    at = pages.back().place();
  }
}

Result<void> RemapRecords::Apply(Remap& remap, const Decision& decision, RemapReport& report,
                                 const Remapping::OnProgress& on_progress) {
  while (true) {
    const auto pages = PATRA_TRY(store_.Pages(remap.lane, remap.since, remap.at, kPagesAtOnce));
    for (const auto& page : pages) {
      auto read = PATRA_TRY(vault_.Read(page, remap.generation));
      remap.at = page.place();
      ++remap.sums.pages;
      if (auto* mapped = std::get_if<MappedPage>(&read)) {
        PATRA_TRY(Take(remap, std::move(*mapped), decision, report));
      } else {
        ++remap.sums.pages_lost;
        if (report.why_lost.empty()) report.why_lost = std::get<LostPage>(read).reason;
      }
      if (remap.sums.pages % kNoteEvery == 0) PATRA_TRY(store_.Note(remap));
      on_progress({.pages = remap.sums.pages, .records = remap.sums.records});
    }
    if (std::ssize(pages) < kPagesAtOnce) return {};
  }
}

Result<void> RemapRecords::Take(Remap& remap, MappedPage page, const Decision& decision,
                                RemapReport& report) {
  auto& sums = remap.sums;
  sums.records += std::ssize(page.content.records) + std::ssize(page.content.bad_records);
  sums.bad += std::ssize(page.content.bad_records);
  report.isolated += PATRA_TRY(Isolate(page, decision));
  if (page.content.records.empty()) return {};
  const auto stored = PATRA_TRY(store_.Versions(remap.lane, page.content.records));
  if (!NeedsWriting(page, stored, sums)) return {};
  const auto counts = PATRA_TRY(store_.Commit(
      {.remap = remap, .batch = page.batch, .records = std::move(page.content.records)}));
  sums.inserted += counts.inserted;
  sums.updated += counts.updated;
  sums.unchanged += counts.unchanged;
  sums.left_alone += counts.stale;
  return {};
}

Result<std::int64_t> RemapRecords::Isolate(MappedPage& page, const Decision& decision) {
  if (page.content.bad_records.empty()) return 0;
  for (auto& bad : page.content.bad_records)
    bad.reason = fmt::format("mapped anew: {}", bad.reason);
  const auto fetched_at = page.batch.raw_page->fetched_at;
  return batches_.Isolate({.batch = page.batch,
                           .records = std::move(page.content.bad_records),
                           .fetched_at = fetched_at,
                           .decision = decision,
                           .details = "{}"});
}

}  // namespace patra::app
