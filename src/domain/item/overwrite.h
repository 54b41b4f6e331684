// Which of two versions of a record stays (I7). The rule orders versions totally, so the table that
// remains depends on the set of versions received, never on the order they arrived in.
#pragma once

#include <compare>
#include <cstdint>

#include "base/hash.h"
#include "base/time.h"
#include "domain/word/record_counts.h"

namespace patra::domain {

struct ItemVersion {
  Instant updated_at;                   // as the provider says; fetched_at where it says nothing
  std::int64_t provider_version = 0;    // 0 where the source declares none
  std::int64_t mapping_generation = 0;  // raised when a changed mapping is applied to the same page
  Instant fetched_at;                   // of the page, not of its arrival here
  Sha256Digest content_hash{};          // of the canonical mapped fields
  bool deleted = false;

  // The hash breaks the last tie: two contents of one version in one page still have an order.
  friend std::strong_ordering operator<=>(const ItemVersion&, const ItemVersion&) = default;
};

struct OverwriteDecision {
  Overwrite outcome;
  bool write;  // whether the row changes at all
};

// `existing` is null where the item is not stored yet.
OverwriteDecision DecideOverwrite(const ItemVersion* existing, const ItemVersion& incoming);

}  // namespace patra::domain
