// One fetch that is under way while its worker does something else.
//
// Where fetching ahead is off, a fetch runs when it is taken, in the worker's own thread.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "app/execute/fetch_page.h"
#include "app/execute/side_thread.h"

namespace patra::app {

class FetchAhead {
 public:
  using Fetch = std::function<Result<Fetched>()>;

  explicit FetchAhead(bool is_on) : is_on_(is_on) {}
  ~FetchAhead() { Forget(); }
  FetchAhead(const FetchAhead&) = delete;
  FetchAhead& operator=(const FetchAhead&) = delete;

  // REQUIRES: nothing is under way
  void Begin(Fetch fetch) {
    fetch_ = std::move(fetch);
    if (is_on_) SideThread::Mine().Begin([this] { outcome_.emplace(fetch_()); });
  }
  bool is_under_way() const { return static_cast<bool>(fetch_); }

  // REQUIRES: is_under_way()
  Result<Fetched> Take() {
    if (is_on_) {
      SideThread::Mine().Await();
    } else {
      outcome_.emplace(fetch_());
    }
    fetch_ = nullptr;
    return *std::exchange(outcome_, std::nullopt);
  }

  // What was begun is of no use any more. What came of it meanwhile, if anything did.
  std::optional<Result<Fetched>> Drop() {
    if (is_on_ && is_under_way()) SideThread::Mine().Await();
    fetch_ = nullptr;
    return std::exchange(outcome_, std::nullopt);
  }
  void Forget() { Drop(); }

 private:
  const bool is_on_;
  Fetch fetch_;
  std::optional<Result<Fetched>> outcome_;
};

}  // namespace patra::app
