#include "app/execute/fetch_details.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>

#include "app/execute/fetch_ahead.h"
#include "app/execute/page_ids.h"
#include "domain/plan/id_batches.h"

namespace patra::app {
namespace {

// When so many ids in a row cannot be had one by one, it is not the ids.
constexpr int kBadIdsInARowMax = 10;
constexpr int kBatchesAhead = 20;
// How many of them are tried one by one before the provider is taken for being down, and how often each.
constexpr int kProofsMax = 4;
constexpr std::int64_t kTriesOfOneId = 2;
constexpr int kKnownIdsMax = 20;

// Which of the ids an answer deals with, and which it lacks. A record that nobody asked for is kept; it makes up for none
// that is missing.
struct Matched {
  Answers answers;
  std::vector<std::string> missing;
  std::vector<std::string> unasked;
};
Matched Match(const std::vector<std::string>& ids, const domain::PageContent& page) {
  const std::unordered_set<std::string> asked(ids.begin(), ids.end());
  auto open = asked;
  Matched matched;
  for (const auto& id : IdsOf(page)) {
    if (open.erase(id) > 0) {
      matched.answers.ids.push_back(id);
    } else {
      ++matched.answers.repeated;
      if (!asked.contains(id)) matched.unasked.push_back(id);
    }
  }
  for (const auto& id : ids) {
    if (open.contains(id)) matched.missing.push_back(id);
  }
  return matched;
}

bool IsBad(const Answers& answers, const std::string& id) {
  return std::ranges::find(answers.bad, id, &BadId::id) != answers.bad.end();
}

std::string TakeAny(std::deque<std::vector<std::string>>& batches, Random& random) {
  const auto batch = batches.begin() + static_cast<std::ptrdiff_t>(random.Below(batches.size()));
  const auto id = batch->begin() + static_cast<std::ptrdiff_t>(random.Below(batch->size()));
  auto taken = std::move(*id);
  batch->erase(id);
  if (batch->empty()) batches.erase(batch);
  return taken;
}

// What quarantine keeps of the ids that are given up.
void PutIntoQuarantine(const std::vector<BadId>& bad, const NoPage* isolated,
                       std::vector<domain::BadRecord>& into) {
  for (const auto& [id, reason] : bad) {
    into.push_back(
        {.id = id,
         .path = "",
         .rule = isolated != nullptr ? std::string(domain::kIsolatedByRule) : "no_details",
         .reason = reason,
         .bytes = isolated != nullptr ? isolated->body : id});
  }
}

}  // namespace

// What is carried from batch to batch of ids.
struct FetchDetails::Asking {
  SliceRun& run;
  IdBatches open{};
  std::vector<std::string> lacked{};  // by answers; asked for again once there are enough of them
  std::set<std::string> asked_twice{};
  int bad_in_a_row = 0;
  std::optional<NoPage> trouble{};  // that may be an id's
  bool is_proven = false;           // because others work
  int failed_proofs = 0;
  bool is_unasked_told = false;
  std::vector<std::string> asked{};  // outlives the fetch that reads it
  FetchAhead ahead;
};

// What came of one batch of ids.
struct FetchDetails::Answer {
  FetchedPage page{};
  Answers answers{};
};

Result<BrokenOff> FetchDetails::Run(SliceRun& run) {
  Asking asking{.run = run, .ahead = FetchAhead(policy_.fetch_ahead)};
  auto broken = AskForAll(asking);
  if (auto dropped = asking.ahead.Drop(); dropped && *dropped)
    std::visit([&](auto& outcome) { run.dropped = std::move(outcome.evidence); }, **dropped);
  return broken;
}

Result<BrokenOff> FetchDetails::AskForAll(Asking& asking) {
  auto& run = asking.run;
  if (auto parked = blame_.BreakerOfLastRun(run)) PATRA_TRY(Suspect(asking, *std::move(parked)));
  while (true) {
    if (!asking.ahead.is_under_way()) {
      if (asking.open.empty()) PATRA_TRY(Refill(asking));
      if (asking.open.empty()) return std::nullopt;
      Begin(asking, run.batch_no);
    }
    auto fetched = PATRA_TRY(asking.ahead.Take());
    const auto ids = std::exchange(asking.asked, {});
    Answer answer;
    if (const auto* none = std::get_if<NoPage>(&fetched)) {
      auto failure = PATRA_TRY(FaceFailure(asking, ids, *none));
      if (failure.then == Failure::Then::kAskOn) continue;
      if (failure.then == Failure::Then::kBreakOff) return std::move(failure.broken);
      const bool is_isolated = none->kind == NoPage::Kind::kIsolated;
      answer.answers.bad.push_back({ids.front(), none->reason});
      answer.page.evidence = none->evidence;
      PutIntoQuarantine(answer.answers.bad, is_isolated ? none : nullptr,
                        answer.page.content.bad_records);
    } else {
      answer.page = std::move(std::get<FetchedPage>(fetched));
      if (auto changed = TakeAnswer(asking, ids, answer)) return changed;
    }
    ++run.tally.pages;
    AskForLacked(asking);

    const auto after = PATRA_TRY(FirstOpenAfter(asking, answer.answers));
    run.scope.lineage = run.opened.lineage;
    BrokenOff spent;
    if (after) {
      const auto records = static_cast<std::int64_t>(answer.page.content.size());
      spent = PATRA_TRY(commit_.WhySpent(run, records));
    }
    if (!asking.open.empty() && !spent && !ports_.stop.asked()) Begin(asking, run.batch_no + 1);
    const auto goes_on = PATRA_TRY(commit_.Run(run, answer.page, after, std::move(answer.answers)));
    if (!goes_on) return std::nullopt;
    if (goes_on != after) {
      asking.ahead.Forget();
      asking.open.clear();
      asking.lacked.clear();
    }
    run.position = *goes_on;
    if (spent) return spent;
    if (auto enough = commit_.WhyEnough(run)) return enough;
  }
}

// From here on ids are asked for one by one, until it is known that the provider is well.
Result<void> FetchDetails::Suspect(Asking& asking, NoPage why) {
  asking.trouble = std::move(why);
  asking.is_proven = PATRA_TRY(GivesKnown(asking.run)).value_or(false);
  return {};
}

Result<void> FetchDetails::Refill(Asking& asking) {
  const auto& run = asking.run;
  const auto& details = *run.spec.details;
  const auto ids = PATRA_TRY(ports_.ids.NextOpen(
      run.task.lineage.slice, static_cast<int>(details.id_batch_size) * kBatchesAhead));
  for (auto& batch : domain::JoinIds(details, ids)) asking.open.push_back(std::move(batch));
  return {};
}

// Before the ledger is asked for more: it does not know which of its open ids were asked for already.
void FetchDetails::AskForLacked(Asking& asking) {
  const auto& details = *asking.run.spec.details;
  const auto count = static_cast<std::int64_t>(asking.lacked.size());
  if (!asking.open.empty() && !domain::AreWorthARequest(details, count)) return;
  auto batches = domain::JoinIds(details, std::exchange(asking.lacked, {}));
  asking.open.insert(asking.open.begin(), std::make_move_iterator(batches.begin()),
                     std::make_move_iterator(batches.end()));
}

// REQUIRES: some ids are open, and nothing is under way
void FetchDetails::Begin(Asking& asking, int batch_no) {
  auto& scope = asking.run.scope;
  if (asking.trouble && !asking.is_proven) {
    asking.asked = {TakeAny(asking.open, scope.random)};
  } else {
    asking.asked = std::move(asking.open.front());
    asking.open.pop_front();
  }
  const auto& ids = asking.asked;
  if (!asking.trouble) {
    asking.ahead.Begin(
        [this, &scope, &ids, batch_no] { return fetch_.Details(scope, ids, batch_no); });
    return;
  }
  scope.attempts_max = ids.size() == 1 ? kTriesOfOneId : 1;
  asking.ahead.Begin(
      [this, &scope, &ids, batch_no] { return fetch_.DetailsPatiently(scope, ids, batch_no); });
}

Result<FetchDetails::Failure> FetchDetails::FaceFailure(Asking& asking,
                                                        const std::vector<std::string>& ids,
                                                        const NoPage& none) {
  using enum NoPage::Kind;
  using enum Failure::Then;
  auto& run = asking.run;
  const bool is_exhausted = none.kind == kExhausted;
  const bool may_be_an_id =
      (is_exhausted && policy_.IsLastChance(run.task)) || blame_.IsStuckAtBreaker(run, none);
  if (!asking.trouble && may_be_an_id) {
    asking.open.push_front(ids);
    PATRA_TRY(Suspect(asking, none));
    return Failure{};
  }
  if (is_exhausted && asking.trouble && !asking.is_proven) {
    asking.open.push_back(ids);
    if (++asking.failed_proofs < kProofsMax) return Failure{};
    return Failure{kBreakOff, blame_.Postpone(*asking.trouble, none)};
  }
  const bool is_hopeless = none.kind == kWrong || none.kind == kIsolated ||
                           none.kind == kTooLarge || (is_exhausted && asking.trouble);
  if (!is_hopeless) return Failure{kBreakOff, none};
  // Something good between two failures also tells the breaker that it is the ids and not the provider.
  if (asking.trouble || asking.bad_in_a_row == kBadIdsInARowMax) {
    const auto gives_known = PATRA_TRY(GivesKnown(run));
    asking.is_proven = gives_known.value_or(asking.is_proven);
    if (gives_known.value_or(false)) asking.bad_in_a_row = 0;
  }
  if (ids.size() > 1) {
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
    asking.open.emplace_front(middle, ids.end());
    asking.open.emplace_front(ids.begin(), middle);
    return Failure{};
  }
  // What a rule of the source isolates says nothing about the provider.
  const bool is_isolated = none.kind == kIsolated;
  if (!is_isolated && ++asking.bad_in_a_row > kBadIdsInARowMax) return Failure{kBreakOff, none};
  return Failure{kGiveUpId};
}

// Ids that the answer lacks wait to be asked for again, or are bad where they were asked for twice. Why the run ends, where the answer
// is of another shape.
BrokenOff FetchDetails::TakeAnswer(Asking& asking, const std::vector<std::string>& ids,
                                   Answer& answer) {
  auto& run = asking.run;
  auto& content = answer.page.content;
  const auto& details = *run.spec.details;
  if (auto changed = blame_.WhyChanged(run, answer.page, {details.response, details.fields}))
    return changed;
  asking.bad_in_a_row = 0;
  if (!content.records.empty()) run.scope.is_first_use = false;
  asking.is_proven = asking.trouble.has_value();
  auto matched = Match(ids, content);
  TellUnasked(asking, matched.unasked);
  auto& missing = matched.missing;
  auto& answers = answer.answers = std::move(matched.answers);
  for (const auto& id : missing) {
    if (asking.asked_twice.insert(id).second) continue;
    answers.bad.push_back({id, "the provider gives no details"});
  }
  std::erase_if(missing, [&](const std::string& id) { return IsBad(answers, id); });
  PutIntoQuarantine(answers.bad, nullptr, content.bad_records);
  asking.lacked.insert(asking.lacked.end(), missing.begin(), missing.end());
  return std::nullopt;
}

// Once in a run: they are stored, and on no list.
void FetchDetails::TellUnasked(Asking& asking, const std::vector<std::string>& unasked) {
  if (unasked.empty() || std::exchange(asking.is_unasked_told, true)) return;
  const auto& run = asking.run;
  ports_.log.Write(LogLevel::kWarn, "details.unasked", run.opened.lineage,
                   {{"source", run.task.lane.provenance},
                    {"endpoint", run.task.lane.endpoint},
                    {"ids", static_cast<std::int64_t>(unasked.size())},
                    {"first", unasked.front()},
                    {"reason", "the details have records that nobody asked for, which are kept"}});
}

// Where the second phase goes on once these answers are committed.
Result<std::optional<Position>> FetchDetails::FirstOpenAfter(const Asking& asking,
                                                             const Answers& answers) {
  if (!asking.open.empty())
    return Position{.token = asking.open.front().front(), .is_detail = true};
  const auto answered = answers.ids.size() + answers.bad.size();
  const auto left =
      PATRA_TRY(ports_.ids.NextOpen(asking.run.task.lineage.slice, static_cast<int>(answered) + 1));
  for (const auto& id : left) {
    const bool is_answered =
        std::ranges::find(answers.ids, id) != answers.ids.end() || IsBad(answers, id);
    if (!is_answered) return Position{.token = id, .is_detail = true};
  }
  return std::nullopt;
}

// Whether the provider still gives what it gave before; nothing where that cannot be asked.
Result<std::optional<bool>> FetchDetails::GivesKnown(SliceRun& run) {
  const auto known = PATRA_TRY(ports_.ids.Known(run.task.lane, kKnownIdsMax));
  if (known.empty()) return std::nullopt;
  const std::vector asked{known[run.scope.random.Below(known.size())]};
  auto once = run.scope;
  once.attempts_max = 1;
  const auto answer = PATRA_TRY(fetch_.DetailsPatiently(once, asked, run.batch_no));
  const auto* page = std::get_if<FetchedPage>(&answer);
  return page != nullptr && Match(asked, page->content).missing.empty();
}

}  // namespace patra::app
