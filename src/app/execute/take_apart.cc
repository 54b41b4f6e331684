#include "app/execute/take_apart.h"

#include <algorithm>
#include <deque>
#include <iterator>

#include "domain/walk/page_size.h"

namespace patra::app {
namespace {

// The whole page was tried as often as the definition says, in several runs.
constexpr std::int64_t kAttempts = 2;
// More parts than this in a row fail only where it is not the records: a page of a thousand is halved ten times.
constexpr int kFailuresInARowMax = 14;
// The breaker opens over so many failures. Its pause is waited for here, else what is known by now would be lost.
constexpr Duration kPatience = std::chrono::minutes(5);
constexpr Duration kNap = std::chrono::seconds(1);

bool IsThePage(const NoPage& none) {
  using enum NoPage::Kind;
  return none.kind == kExhausted || none.kind == kWrong || none.kind == kTooLarge;
}

void Append(FetchedPage& whole, FetchedPage&& part) {
  const auto move_all = [](auto& from, auto& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move_all(part.content.records, whole.content.records);
  move_all(part.content.bad_records, whole.content.bad_records);
  move_all(part.content.ids, whole.content.ids);
  if (part.content.announced) whole.content.announced = part.content.announced;
  // The last part knows what follows.
  whole.content.has_more = part.content.has_more;
  whole.content.next = std::move(part.content.next);
  whole.response.status = part.response.status;
  whole.response.received_at = part.response.received_at;
  whole.response.latency += part.response.latency;
  whole.request_digest = std::move(part.request_digest);
  whole.response_digest = std::move(part.response_digest);
  whole.retries += part.retries;
  whole.throttled += part.throttled;
  whole.waited += part.waited;
}

domain::BadRecord Alone(const domain::Position& at, const NoPage& none) {
  return {.path = Describe(at),
          .rule = "unreadable",
          .reason = none.reason,
          .bytes = none.body.empty() ? none.request : none.body,
          .is_page = true};
}

}  // namespace

Result<Fetched> TakeApart::Run(FetchScope scope, const domain::Position& at, const NoPage& why,
                               int batch_no) {
  scope.attempts_max = kAttempts;
  const auto parts_of = [&](const domain::Position& page) {
    return domain::PartsOfPage(scope.spec, page);
  };
  const auto first = parts_of(at);
  std::deque<domain::Position> open(first.begin(), first.end());
  FetchedPage whole;
  int failures_in_a_row = 0;
  bool any_works = false;
  while (!open.empty()) {
    const auto part = open.front();
    open.pop_front();
    auto fetched = PATRA_TRY(FetchPatiently(scope, part, batch_no));
    if (auto* page = std::get_if<FetchedPage>(&fetched)) {
      // A provider that does not care about the size would have its records counted more than once.
      if (static_cast<std::int64_t>(page->content.size()) > *part.size) return why;
      failures_in_a_row = 0;
      any_works = true;
      Append(whole, std::move(*page));
      continue;
    }
    const auto& none = std::get<NoPage>(fetched);
    if (!IsThePage(none)) return none;
    if (++failures_in_a_row > kFailuresInARowMax) return why;
    ++whole.retries;
    const auto parts = parts_of(part);
    if (parts.empty()) {
      whole.content.bad_records.push_back(Alone(part, none));
    } else {
      open.insert(open.begin(), parts.begin(), parts.end());
    }
  }
  if (!any_works) return why;
  return whole;
}

Result<Fetched> TakeApart::FetchPatiently(FetchScope& scope, const domain::Position& at,
                                          int batch_no) {
  const auto give_up_at = clock_.Elapsed() + kPatience;
  while (true) {
    auto fetched = PATRA_TRY(fetch_.At(scope, at, batch_no));
    const auto* none = std::get_if<NoPage>(&fetched);
    const bool is_parked = none != nullptr && none->kind == NoPage::Kind::kParked;
    if (!is_parked || clock_.Elapsed() + (none->until - clock_.Now()) > give_up_at) return fetched;
    while (clock_.Now() < none->until && !stop_.asked())
      clock_.SleepFor(std::min<Duration>(kNap, none->until - clock_.Now()));
  }
}

}  // namespace patra::app
