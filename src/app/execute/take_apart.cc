#include "app/execute/take_apart.h"

#include <algorithm>
#include <deque>
#include <iterator>

#include "app/execute/joined_answers.h"
#include "domain/walk/page_size.h"

namespace patra::app {
namespace {

// The whole page was tried as often as the definition says, in several runs; a part that fails is tried again in its
// own parts. What cannot be made smaller deserves a second try.
constexpr std::int64_t kAttemptsAlone = 2;
// More parts than this in a row fail only where it is not the records: a page of a thousand is halved ten times.
constexpr int kFailuresInARowMax = 14;
// Less than what self-healing takes for a worker that hangs.
constexpr Duration kTimeMax = std::chrono::minutes(8);
constexpr Duration kPause = std::chrono::minutes(1);

bool IsThePage(const NoPage& none) {
  using enum NoPage::Kind;
  return none.kind == kExhausted || none.kind == kWrong || none.kind == kTooLarge;
}

void Append(FetchedPage& whole, const HttpResponse& answer, FetchedPage&& part) {
  const auto move_all = [](auto& from, auto& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move_all(part.content.records, whole.content.records);
  move_all(part.content.bad_records, whole.content.bad_records);
  move_all(part.content.ids, whole.content.ids);
  whole.content.passed_over += part.content.passed_over;
  if (part.content.announced) whole.content.announced = part.content.announced;
  // The last part knows what follows.
  whole.content.has_more = part.content.has_more;
  whole.content.next = std::move(part.content.next);
  whole.response.status = answer.status;
  whole.response.received_at = answer.received_at;
  whole.response.latency += answer.latency;
  whole.retries += part.retries;
  whole.evidence.Append(std::move(part.evidence));
}

domain::BadRecord Alone(const domain::Position& at, const NoPage& none) {
  return {.path = Describe(at),
          .rule = "unreadable",
          .reason = none.reason,
          .bytes = none.body.empty() ? none.evidence.request : none.body,
          .is_page = true};
}

NoPage ComeBack(const NoPage& last, Instant now) {
  auto parked = last;
  parked.kind = NoPage::Kind::kParked;
  parked.waits_for = domain::WaitReason::kBreaker;
  parked.reason = std::string(Name(*parked.waits_for));
  parked.until = now + kPause;
  return parked;
}

}  // namespace

Result<Fetched> TakeApart::Run(FetchScope scope, const domain::Position& at, const NoPage& why,
                               int batch_no) {
  const auto parts_of = [&](const domain::Position& page) {
    return domain::PartsOfPage(scope.spec(), page);
  };
  const auto first = parts_of(at);
  std::deque<domain::Position> open(first.begin(), first.end());
  FetchedPage whole;
  std::vector<HttpResponse> answers;
  const auto give_up_at = clock_.Elapsed() + kTimeMax;
  int failures_in_a_row = 0;
  bool any_works = false;
  while (!open.empty()) {
    const auto part = open.front();
    open.pop_front();
    const auto parts = parts_of(part);
    scope.attempts_max = parts.empty() ? kAttemptsAlone : 1;
    auto fetched = PATRA_TRY(fetch_.AtPatiently(scope, part, batch_no));
    if (auto* page = std::get_if<FetchedPage>(&fetched)) {
      // A provider that does not care about the size would have its records counted more than once.
      if (static_cast<std::int64_t>(page->content.size()) > *part.size) return why;
      failures_in_a_row = 0;
      any_works = true;
      answers.push_back(std::move(page->response));
      Append(whole, answers.back(), std::move(*page));
      continue;
    }
    const auto& none = std::get<NoPage>(fetched);
    if (!IsThePage(none)) return none;
    if (++failures_in_a_row > kFailuresInARowMax) return why;
    // It waits for the gate more than it asks.
    if (clock_.Elapsed() > give_up_at) return ComeBack(none, clock_.Now());
    ++whole.retries;
    whole.evidence.Append(none.evidence);
    if (parts.empty()) {
      whole.content.bad_records.push_back(Alone(part, none));
    } else {
      open.insert(open.begin(), parts.begin(), parts.end());
    }
  }
  if (!any_works) return why;
  JoinAnswers(answers, whole.response);
  return whole;
}

}  // namespace patra::app
