#include "domain/item/intake.h"

#include <algorithm>
#include <unordered_set>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"
#include "domain/item/kept_fields.h"
#include "domain/item/mapped_anew.h"

namespace patra::domain {
namespace {

// At most, ours and a provider's.
constexpr Duration kClocksDifferBy = std::chrono::hours(24);

Result<FoldedFields> FoldedIn(const StoredItem& item) {
  // Before the object that takes them: what is half made when an error returns from it would leak.
  auto fields = PATRA_TRY(FieldsIn(item.fields));
  FoldedFields folded{.version = item.version, .fields = std::move(fields)};
  if (item.kept) PATRA_TRY(ReadKept(PATRA_TRY(ParseJson(*item.kept)), folded));
  return folded;
}

// The records of one page, one after the other: the same id may come twice.
class PageIntake {
 public:
  PageIntake(StoredItems stored, const IntakeFor& purpose)
      : stored_(std::move(stored)), purpose_(purpose) {}

  Result<void> Take(const Record& record) {
    const auto found = stored_.find(record.id);
    const bool is_new = found == stored_.end();
    if (!is_new) {
      if (const auto outcome = LeaveAsItIs(found->second, record)) {
        Count(*outcome);
        return {};
      }
      Meet(found->second, record);
    }
    const bool is_sample = intake_.samples.size() < kDecisionSamplesMax;
    if (is_sample)
      intake_.samples.push_back({&record, Overwrite::kInsert,
                                 is_new ? std::nullopt : std::optional(found->second.version)});
    const auto merged_before = is_new ? std::nullopt : found->second.merged_into;
    const auto changed = is_new ? Insert(record) : Change(found->second, record);
    if (!changed) return std::unexpected(changed.error());
    const auto& change = *changed;
    Count(change.outcome);
    if (is_sample) intake_.samples.back().outcome = change.outcome;
    const bool is_news =
        change.outcome == Overwrite::kInsert || change.outcome == Overwrite::kUpdate;
    if (is_news) {
      intake_.news.push_back(&record);
      Announce(record, change.outcome);
    }
    if (is_news && record.version.deleted) {
      auto& gone = change.outcome == Overwrite::kInsert ? intake_.counts.inserted_gone
                                                        : intake_.counts.updated_gone;
      ++gone;
    }
    const bool is_end = record.version.deleted || record.merged_into;
    if (is_end && change.is_written && (is_news || record.merged_into != merged_before))
      intake_.ended.push_back(&record);
    if (is_news && !is_end) ComeBack(record.id);
    return {};
  }

  Intake Finish() && { return std::move(intake_); }

 private:
  struct Outcome {
    domain::Overwrite outcome;
    bool is_written;  // the row has this record's version now
  };

  void Count(domain::Overwrite outcome) {
    intake_.outcomes.push_back(outcome);
    ++intake_.counts.received;
    intake_.counts.Count(outcome);
  }

  // Of a page that is mapped anew: what it is not to decide, or says again.
  std::optional<domain::Overwrite> LeaveAsItIs(StoredItem& item, const Record& record) const {
    if (!purpose_.maps_anew) return std::nullopt;
    switch (WhoDecides(item, record, *purpose_.maps_anew)) {
      case Decides::kItsOwnPage:
        return domain::Overwrite::kStale;
      case Decides::kVersions:
        return std::nullopt;
      case Decides::kThisPage:
        break;
    }
    if (IsAsItWas(item, record)) return domain::Overwrite::kUnchanged;
    Restate(item, record);
    return std::nullopt;
  }

  // Once for each id: what a page itself brings is no news of others.
  void Meet(StoredItem& item, const Record& record) {
    if (purpose_.since && item.batch > *purpose_.since)
      intake_.met.push_back({&record, item.batch, item.version.updated_at});
    item.batch = 0;
  }

  Result<Outcome> Insert(const Record& record) {
    auto& item = stored_[record.id];
    Write(item, ItemWrite::Kind::kInsert, record);
    return Outcome{domain::Overwrite::kInsert, true};
  }

  // Its version may be older than the one that was missed, as after a provider's restore.
  static void FindAgain(StoredItem& item, const Record& record) {
    if (!item.is_missed || record.version.deleted ||
        record.version.fetched_at <= item.version.fetched_at)
      return;
    item.version.updated_at = record.version.updated_at;
    item.version.provider_version = record.version.provider_version;
    item.version.mapping_generation = record.version.mapping_generation;
  }

  Result<Outcome> Change(StoredItem& item, const Record& record) {
    FindAgain(item, record);
    if (record.kept_fields) return Fold(item, record);
    const auto decision = DecideOverwrite(&item.version, record.version);
    if (decision.write) {
      Write(item, ItemWrite::Kind::kReplace, record);
    } else {
      ConfirmIf(decision.outcome, item, record);
    }
    return Outcome{decision.outcome, decision.write};
  }

  // A record with fields that survive an empty value: what is stored is folded with what came.
  Result<Outcome> Fold(StoredItem& item, const Record& record) {
    const auto stored = PATRA_TRY(FoldedIn(item));
    auto incoming_fields = PATRA_TRY(FieldsIn(record.fields));
    const FoldedFields incoming{.version = record.version, .fields = std::move(incoming_fields)};
    const auto folded = domain::Fold(stored, incoming, *record.kept_fields);
    if (folded == stored) {
      const bool is_same = incoming.version.content_hash == stored.version.content_hash &&
                           incoming.version.deleted == stored.version.deleted;
      const auto outcome = is_same ? domain::Overwrite::kUnchanged : domain::Overwrite::kStale;
      ConfirmIf(outcome, item, record);
      return Outcome{outcome, false};
    }
    const bool is_same_content =
        folded.fields == stored.fields && folded.version.deleted == stored.version.deleted;
    const bool is_newer = folded.version == incoming.version;
    std::optional<std::string> kept;
    if (const auto value = KeptValue(folded)) kept = CanonicalJson(*value);
    auto fields = CanonicalJson(Value(folded.fields));
    const auto hash = Sha256(fields);
    Write(item, is_newer ? ItemWrite::Kind::kReplace : ItemWrite::Kind::kFillIn, record,
          ItemWrite::Folded{std::move(fields), hash, std::move(kept)});
    return Outcome{is_same_content ? domain::Overwrite::kUnchanged : domain::Overwrite::kUpdate,
                   is_newer};
  }

  // What an earlier record of the page was going to write is replaced, so that each row is written once.
  void Write(StoredItem& item, ItemWrite::Kind kind, const Record& record,
             std::optional<ItemWrite::Folded> folded = std::nullopt) {
    const bool fills_in = kind == ItemWrite::Kind::kFillIn;
    if (!fills_in) {
      item.version = record.version;
      item.merged_into = record.merged_into;
      item.is_missed = record.gone_at.has_value();
    }
    if (record.kept_fields) {
      item.fields = folded ? folded->fields : record.fields;
      item.kept = folded ? folded->kept : std::nullopt;
    }
    if (folded) item.version.content_hash = folded->content_hash;
    item.refreshed_at = purpose_.now;
    const auto [pending, is_first] = pending_.try_emplace(record.id, intake_.writes.size());
    if (is_first) {
      intake_.writes.push_back({kind, item.row, &record, std::move(folded)});
      return;
    }
    auto& write = intake_.writes[pending->second];
    if (!fills_in) {
      if (write.kind != ItemWrite::Kind::kInsert) write.kind = kind;
      write.record = &record;
    } else if (write.kind == ItemWrite::Kind::kConfirm) {
      write.kind = kind;
    }
    write.folded = std::move(folded);
  }

  // What the page itself ended before, and has again.
  void ComeBack(std::string_view id) {
    std::erase_if(intake_.ended, [&](const Record* ended) { return ended->id == id; });
  }

  // An update that changes nothing was still made.
  void ConfirmIf(domain::Overwrite outcome, const StoredItem& item, const Record& record) {
    if (!purpose_.is_update || outcome != domain::Overwrite::kUnchanged) return;
    const bool is_first = pending_.try_emplace(record.id, intake_.writes.size()).second;
    if (is_first) intake_.writes.push_back({ItemWrite::Kind::kConfirm, item.row, &record});
  }

  void Announce(const Record& record, domain::Overwrite outcome) {
    const bool is_new = outcome == domain::Overwrite::kInsert;
    if (is_new) {
      intake_.inserted.push_back(record.id);
      inserted_.insert(record.id);
    } else if (!inserted_.contains(record.id)) {
      intake_.updated.push_back(record.id);
    }
    for (const auto& concern : record.concerns) {
      if (IsDue(concern, record)) intake_.signals.push_back(&concern);
    }
  }

  // Others are looked at again where they are there, for the rest is not ours to have, and nobody has done so since. An
  // update that finds its own record still wanting says nothing, else it would ask for ever.
  bool IsDue(const Concern& concern, const Record& record) const {
    if (concern.item_id == record.id) return !purpose_.is_update;
    const auto found = stored_.find(concern.item_id);
    return found != stored_.end() &&
           found->second.refreshed_at < record.version.updated_at + kClocksDifferBy;
  }

  StoredItems stored_;  // with what the page has brought so far
  const IntakeFor purpose_;
  Intake intake_;
  std::unordered_map<std::string_view, std::size_t> pending_;  // of an id, its place in `writes`
  std::unordered_set<std::string_view> inserted_;
};

}  // namespace

std::vector<std::string_view> IdsToRead(std::span<const Record> records) {
  std::vector<std::string_view> ids;
  ids.reserve(records.size());
  for (const auto& record : records) {
    ids.push_back(record.id);
    for (const auto& concern : record.concerns) ids.push_back(concern.item_id);
  }
  return ids;
}

bool NeedsFields(std::span<const Record> records) {
  return std::ranges::any_of(records,
                             [](const Record& record) { return record.kept_fields != nullptr; });
}

Result<Intake> TakeIn(std::span<const Record> records, StoredItems stored,
                      const IntakeFor& purpose) {
  PageIntake intake(std::move(stored), purpose);
  for (const auto& record : records) PATRA_TRY(intake.Take(record));
  return std::move(intake).Finish();
}

}  // namespace patra::domain
