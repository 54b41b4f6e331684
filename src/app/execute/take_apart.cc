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
  const auto failures_max =
      why.kind == NoPage::Kind::kParked ? static_cast<int>(first.size()) - 1 : kFailuresInARowMax;
  int failures_in_a_row = 0;
  bool any_works = false;
  while (!open.empty()) {
    const auto part = open.front();
    open.pop_front();
    auto fetched = PATRA_TRY(fetch_.AtPatiently(scope, part, batch_no));
    if (auto* page = std::get_if<FetchedPage>(&fetched)) {
      // A provider that does not care about the size would have its records counted more than once.
      if (static_cast<std::int64_t>(page->content.size()) > *part.size) return why;
      failures_in_a_row = 0;
      any_works = true;
      Append(whole, std::move(*page));
      continue;
    }
    const auto& none = std::get<NoPage>(fetched);
    // A provider that lets nobody in says nothing about the page.
    if (none.kind == NoPage::Kind::kParked && !any_works) return why;
    if (!IsThePage(none)) return none;
    if (++failures_in_a_row > (any_works ? kFailuresInARowMax : failures_max)) return why;
    ++whole.retries;
    const auto parts = parts_of(part);
    if (!any_works && why.kind == NoPage::Kind::kParked) {
      open.push_back(part);  // the others first: one of them has to work
    } else if (parts.empty()) {
      whole.content.bad_records.push_back(Alone(part, none));
    } else {
      open.insert(open.begin(), parts.begin(), parts.end());
    }
  }
  if (!any_works) return why;
  return whole;
}

}  // namespace patra::app
