#include "app/retention/archive_old.h"

#include <algorithm>
#include <utility>

#include "app/retention/write_archive.h"
#include "contract/status.h"

namespace patra::app {
namespace {

constexpr int kLookedAtOnce = 1000;
// Of all sources together, while their files fill.
constexpr std::size_t kGatheredMost = 200'000;

// Old rows of one kind on their way into files, each source into its own.
class KindOnItsWay {
 public:
  KindOnItsWay(ArchivedKind kind, const RetentionPorts& ports, const ArchiveRules& rules,
               WriteArchive& write, const OnArchived& on_archived)
      : ports_(ports),
        rules_(rules),
        write_(write),
        on_archived_(on_archived),
        done_{.kind = kind} {}

  Result<ArchivedOfKind> Run() {
    ArchivePlace place;
    for (bool has_more = true; has_more && !ports_.stop.asked();) {
      const auto look =
          PATRA_TRY(ports_.store.Look(done_.kind, rules_.before, place, kLookedAtOnce));
      done_.needed += look.needed;
      for (const auto& candidate : look.found) PATRA_TRY(Gather(candidate));
      has_more = look.next.has_value();
      if (has_more) place = *look.next;
    }
    while (!groups_.empty() && !ports_.stop.asked()) {
      const auto& group = groups_.begin()->second;
      if (group.first_at < rules_.before - rules_.gathers) {
        PATRA_TRY(Write(groups_.begin()));
      } else {
        done_.waiting += std::ssize(group.ids);
        groups_.erase(groups_.begin());
      }
    }
    return done_;
  }

 private:
  using Groups = std::map<std::string, ArchiveGroup>;

  Result<void> Gather(const ArchiveCandidate& candidate) {
    auto group = groups_.try_emplace(candidate.source).first;
    const bool is_full =
        std::ssize(group->second.ids) >= rules_.rows_max ||
        (!group->second.ids.empty() && group->second.bytes + candidate.bytes > rules_.bytes_max);
    if (is_full) {
      PATRA_TRY(Write(group));
      group = groups_.try_emplace(candidate.source).first;
    }
    group->second.Add(candidate);
    ++gathered_;
    if (gathered_ < kGatheredMost) return {};
    return Write(std::ranges::max_element(groups_, {},
                                          [](const auto& one) { return one.second.ids.size(); }));
  }

  Result<void> Write(Groups::iterator at) {
    if (ports_.stop.asked()) return {};
    const auto group = groups_.extract(at);
    gathered_ -= group.mapped().ids.size();
    const auto file = PATRA_TRY(write_.Write(done_.kind, group.key(), group.mapped()));
    if (file.rows == 0) return {};
    done_.rows += file.rows;
    done_.bytes += file.bytes;
    ++done_.files;
    on_archived_(done_.kind, done_.rows);
    return {};
  }

  const RetentionPorts& ports_;
  const ArchiveRules& rules_;
  WriteArchive& write_;
  const OnArchived& on_archived_;
  Groups groups_;
  std::size_t gathered_ = 0;
  ArchivedOfKind done_;
};

// Pages that are too many, the oldest first, however young they are.
class FullVault {
 public:
  FullVault(const RetentionPorts& ports, const ArchiveRules& rules, WriteArchive& write)
      : ports_(ports), rules_(rules), write_(write) {}

  Result<VaultReport> Bound() {
    VaultReport report;
    report.bytes_before = report.bytes_after = PATRA_TRY(ports_.store.Vault()).bytes;
    if (report.bytes_before <= rules_.vault_max) return report;
    auto pages = PATRA_TRY(OldestBeyond(report.bytes_before - rules_.vault_max));
    for (auto& [source, group] : pages) {
      if (ports_.stop.asked()) break;
      if (rules_.vault_drops) {
        PATRA_TRY(Drop(group, report));
      } else {
        const auto file = PATRA_TRY(write_.Write(ArchivedKind::kRawPages, source, group));
        report.archived += file.rows;
      }
    }
    const auto now = PATRA_TRY(ports_.store.Vault());
    report.bytes_after = now.bytes;
    PATRA_TRY(Tell(report));
    return report;
  }

 private:
  using Groups = std::vector<std::pair<std::string, ArchiveGroup>>;

  Result<Groups> OldestBeyond(std::int64_t excess) {
    Groups groups;
    std::map<std::string, std::size_t> open;  // the group of each source that is not full
    ArchivePlace place;
    for (bool has_more = true; has_more && excess > 0;) {
      const auto look = PATRA_TRY(
          ports_.store.Look(ArchivedKind::kRawPages, ports_.clock.Now(), place, kLookedAtOnce));
      for (const auto& page : look.found) {
        if (excess <= 0) break;
        excess -= page.stored;
        const auto [at, is_new] = open.try_emplace(page.source, groups.size());
        if (is_new) groups.push_back({page.source, {}});
        auto& group = groups[at->second].second;
        group.Add(page);
        if (std::ssize(group.ids) >= rules_.rows_max || group.bytes >= rules_.bytes_max)
          open.erase(at);
      }
      has_more = look.next.has_value();
      if (has_more) place = *look.next;
    }
    return groups;
  }

  Result<void> Drop(const ArchiveGroup& group, VaultReport& report) {
    return write_.InPieces(
        group.ids, [&](Id) { return group.bytes / std::ssize(group.ids); },
        [&](std::span<const Id> piece) -> Result<void> {
          report.dropped += PATRA_TRY(ports_.store.DropPages(piece));
          return {};
        });
  }

  Result<void> Tell(const VaultReport& report) {
    const auto bytes = report.bytes_before - report.bytes_after;
    if (report.dropped + report.archived > 0) {
      PATRA_TRY(ports_.old_rows.AddToTally(
          {.what = report.dropped > 0 ? contract::kDroppedPages : "vault.archived",
           .rows = report.dropped + report.archived,
           .bytes = bytes}));
      ports_.log.Write(report.dropped > 0 ? LogLevel::kWarn : LogLevel::kInfo,
                       report.dropped > 0 ? "vault.dropped" : "vault.archived", {},
                       {{"pages", report.dropped + report.archived}, {"bytes", bytes}});
    }
    if (report.bytes_after > rules_.vault_max)
      ports_.log.Write(LogLevel::kWarn, "vault.full", {},
                       {{"bytes", report.bytes_after}, {"most", rules_.vault_max}});
    return {};
  }

  const RetentionPorts& ports_;
  const ArchiveRules& rules_;
  WriteArchive& write_;
};

}  // namespace

Result<ArchiveReport> ArchiveOld::Run(const ArchiveRules& rules, const OnArchived& on_archived) {
  ArchiveReport report{.folder = ports_.files.folder(), .before = rules.before};
  if (report.folder.empty()) {
    return Fail(ErrorCode::kInvalidInput, "there is no folder that old rows could be moved to", {},
                "name one: `retention.archive_dir` in the configuration");
  }
  auto turn = PATRA_TRY(RetentionTurn::Take(ports_.duties, ports_.clock, owner_));
  WriteArchive write(ports_, rules, turn);
  auto finished = PATRA_TRY(write.FinishWhatWasBegun());
  report.finished = finished.files;
  report.lost = std::move(finished.lost);
  // A batch goes after its page.
  for (const auto& [kind, code] : domain::CodesOf(ArchivedKind{}))
    report.kinds.push_back(PATRA_TRY(KindOnItsWay(kind, ports_, rules, write, on_archived).Run()));
  if (rules.vault_max > 0) report.vault = PATRA_TRY(FullVault(ports_, rules, write).Bound());
  PATRA_TRY(Tell(report));
  report.is_stopped = ports_.stop.asked();
  return report;
}

Result<void> ArchiveOld::Tell(const ArchiveReport& report) {
  for (const auto& kind : report.kinds) {
    if (kind.rows == 0) continue;
    PATRA_TRY(ports_.old_rows.AddToTally(
        {.what = "archived." + domain::LowerCode(domain::CodeOf(kind.kind)),
         .rows = kind.rows,
         .bytes = kind.bytes}));
  }
  return {};
}

}  // namespace patra::app
