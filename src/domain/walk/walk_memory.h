// What a walk has to remember to prove itself. It is kept in the ledger with every page, so that a run that takes over
// after a crash, a stop or a pause judges as one would that was never interrupted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/walk/position.h"

namespace patra::domain {

// The ids on a page in their order, each as a hash: all that is needed to tell whether a record came before.
using PageIds = std::vector<std::uint64_t>;

std::uint64_t FingerprintOf(std::span<const std::uint64_t> ids);

// What a walk has seen, as far as it has come.
struct WalkAccount {
  std::int64_t pages = 0;
  std::int64_t rows = 0;                      // every time that a record came
  std::int64_t records = 0;                   // the different ones among them
  std::int64_t returned = 0;                  // that came again on a later page
  std::int64_t filled = 0;                    // pages that held any
  std::int64_t page_most = 0;                 // records on the largest
  std::int64_t last_filled = 0;               // records on the last page that held any
  std::optional<std::int64_t> total_first{};  // as announced, on the first page that did
  std::optional<std::int64_t> total{};        // and on the last one
  std::optional<std::int64_t> total_most{};   // on any
  bool total_moved = false;                   // from one page to a later one
  std::uint64_t digest = 0;                   // of the different records, in any order
  std::int64_t elsewhere = 0;                 // of a walk that is over, see item/elsewhere.h
  // Somewhere the walk went on after a pause, and nobody could tell whether the list still stood as before.
  bool is_unchecked = false;
  bool is_ended = false;
  bool is_unsorted = false;  // TIME: some page was
  bool is_cut_off = false;   // what did not fit on the only page was seen behind it
  // By token: the first page had nothing where one is looked for, nor a word that it is the last. What seemed to lead on instead.
  std::optional<std::string> no_next{};
  // No record of any page has this member, which the filter of `items` compares, and none is meant.
  std::optional<std::string> unmet_member{};

  void Announce(std::int64_t now);
  // It is that of a longer list than the one that is read.
  void ForgetTotal();

  // Two walks that saw the same were of a list that stood still in between.
  bool SawTheSameAs(const WalkAccount& other) const;

  friend bool operator==(const WalkAccount&, const WalkAccount&) = default;
};

struct WalkMemory {
  // The page that was read last, and where: if it still looks the same, nothing before it has moved.
  struct Edge {
    Position at;
    std::uint64_t fingerprint = 0;
    Instant read_at{};

    friend bool operator==(const Edge&, const Edge&) = default;
  };

  int walks = 1;  // that were begun, this one included
  WalkAccount account{};
  std::optional<WalkAccount> earlier{};  // of the last one that came to its end
  int alike = 0;                         // walks in a row, up to that one, that saw the same
  std::int64_t records_most = 0;         // different ones that any walk before this one saw
  std::optional<Edge> edge{};

  // Walks in a row that saw the same, if this one is at its end.
  int alike_by_now() const { return earlier && account.SawTheSameAs(*earlier) ? alike + 1 : 1; }

  // The memory of the next walk over the same slice, which brought so many records that came elsewhere.
  WalkMemory Next(std::int64_t elsewhere = 0) const;

  Value ToValue() const;
  static Result<WalkMemory> FromValue(const Value& value);

  friend bool operator==(const WalkMemory&, const WalkMemory&) = default;
};

}  // namespace patra::domain
