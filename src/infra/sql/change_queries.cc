// The messages of ing_outbox_message about records, by their positions.
#include "infra/sql/change_queries.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/port/stored_message.h"
#include "infra/sql/record_set_table.h"

namespace patra::infra::sql {
namespace {

using contract::ChangePage;
using contract::ChangePlace;

// What a page looks at at most, however little of it the filter lets through.
constexpr std::int64_t kPositionsSeenMax = 20'000;
constexpr int kMessagesAtOnce = 100;

constexpr std::string_view kFirstKept = R"sql(
    SELECT position FROM ing_outbox_message
    WHERE position >= :from AND record_set IS NOT NULL ORDER BY position LIMIT 1)sql";

constexpr std::string_view kGivenOut =
    "SELECT coalesce(max(last), 0) AS last FROM ing_change_counter WHERE id = 1";

constexpr std::string_view kFrom = R"sql(
    SELECT position, record_set, aggregate_id, payload_json, created_at FROM ing_outbox_message
    WHERE position >= :from AND position < :to AND record_set IS NOT NULL
      AND (:record_set = 0 OR record_set = :record_set)
    ORDER BY position LIMIT :messages_max)sql";

// Fills one page, message by message.
class PageOfChanges {
 public:
  PageOfChanges(Session& session, const ChangePlace& from, std::size_t changes_max)
      : session_(session), changes_max_(changes_max), page_{.place = from} {}

  Result<ChangePage> Read(const contract::ChangeFilter& filter) {
    const auto end = PATRA_TRY(session_.Integer(kGivenOut)) + 1;
    PATRA_TRY(CheckKept(end));
    sets_ = PATRA_TRY(record_set_table::List(session_, filter.source, filter.endpoint));
    // One set is chosen by the database, several by us.
    const Id only = sets_.size() == 1 && !filter.source.empty() ? sets_.front().number : 0;
    const auto to = std::min(end, page_.place.position + kPositionsSeenMax);
    while (!sets_.empty() && !is_full() && page_.place.position < to) {
      const auto met = PATRA_TRY(ReadSome(only, to));
      if (!is_full() && met < kMessagesAtOnce) page_.place = {.position = to};
    }
    if (sets_.empty()) page_.place = {.position = to};
    page_.has_more = page_.place.position < end;
    return std::move(page_);
  }

 private:
  bool is_full() const { return page_.changes.size() >= changes_max_; }

  // Positions follow one another: whatever is missing has been collected.
  Result<void> CheckKept(std::int64_t end) {
    if (page_.place.position > end) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("there is no change at {} yet; the last one is at {}",
                              page_.place.position, end - 1),
                  {}, "a place belongs to the store that gave it");
    }
    auto rows = PATRA_TRY(session_.Query(kFirstKept, {{"from", page_.place.position}}));
    const auto first = PATRA_TRY(rows.Next()) ? rows.Integer(kOnly) : end;
    if (first == page_.place.position) return {};
    // From the beginning means of what is kept.
    if (page_.place == ChangePlace{}) {
      page_.place.position = first;
      return {};
    }
    return Fail(ErrorCode::kNotFound,
                fmt::format("the changes from {} to {} are not kept any more", page_.place.position,
                            first - 1),
                {},
                "take the place 'end', read all records, and go on from that place: then nothing "
                "is missing");
  }

  Result<int> ReadSome(Id only, std::int64_t to) {
    int met = 0;
    auto rows = PATRA_TRY(session_.Query(kFrom, {{"from", page_.place.position},
                                                 {"to", to},
                                                 {"record_set", only},
                                                 {"messages_max", kMessagesAtOnce}}));
    while (!is_full() && PATRA_TRY(rows.Next())) {
      ++met;
      PATRA_TRY(TakeMessage(rows));
    }
    return met;
  }

  Result<void> TakeMessage(const Rows& rows) {
    const auto position = rows.Integer("position");
    const int heard = position == page_.place.position ? page_.place.heard : 0;
    const auto number = rows.Integer("record_set");
    const auto set = std::ranges::find(sets_, number, &record_set_table::RecordSet::number);
    page_.place = {.position = position + 1};
    if (set == sets_.end()) return {};
    const auto changes = PATRA_TRY(app::ChangesIn(rows.View("payload_json")));
    for (std::size_t i = static_cast<std::size_t>(heard); i < changes.size(); ++i) {
      const bool is_last = i + 1 == changes.size();
      page_.place = is_last ? ChangePlace{.position = position + 1}
                            : ChangePlace{position, static_cast<int>(i) + 1};
      page_.changes.push_back({.place = page_.place,
                               .change = changes[i],
                               .source = set->source,
                               .endpoint = set->endpoint,
                               .batch = rows.Integer("aggregate_id"),
                               .committed_at = rows.Time("created_at")});
      if (is_full()) break;
    }
    return {};
  }

  Session& session_;
  const std::size_t changes_max_;
  ChangePage page_;
  std::vector<record_set_table::RecordSet> sets_;
};

}  // namespace

Result<ChangePage> ChangeQueries::After(const ChangePlace& place,
                                        const contract::ChangeFilter& filter, int changes_max) {
  return database_.Read([&](Session& session) {
    return PageOfChanges(session, place, static_cast<std::size_t>(changes_max)).Read(filter);
  });
}

Result<ChangePlace> ChangeQueries::End() {
  return database_.Read([](Session& session) -> Result<ChangePlace> {
    return ChangePlace{.position = PATRA_TRY(session.Integer(kGivenOut)) + 1};
  });
}

}  // namespace patra::infra::sql
