// What comes of a trigger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "domain/word/lane.h"
#include "domain/word/price_tag.h"
#include "domain/word/unfinished_slice.h"
#include "domain/word/window.h"

namespace patra::app {

// The stretch of source time that a command asks for, whoever brings it.
struct AskedFor {
  domain::Lane lane;
  std::string query_hash;
  domain::Window window;
};

struct Unproven {
  std::vector<domain::Window> stretches{};
  std::int64_t slices = 0;    // of what is not asked for by time
  bool is_under_way = false;  // all of it, by somebody
  // Nothing from here on counts as unproven: by its own clock the provider cannot have it yet, and the next command asks.
  std::optional<Instant> not_before{};

  bool empty() const { return stretches.empty() && slices == 0; }
};

struct Planned {
  enum class Kind {
    kCreated,
    kAlreadyPlanned,  // the same was planned before: nothing was added
    kNothingDue,      // everything is where it should be, or under way
    kHeld,    // the source is paused, its fuse has blown or its watermark lies ahead of time
    kPriced,  // a dry run
  };
  Kind kind = Kind::kNothingDue;
  Id plan = 0;
  int slices = 0;             // with new tasks
  bool is_partial = false;    // the rest waits for the next trigger
  bool is_continued = false;  // of a plan that an earlier trigger began
  bool keeps_wishes =
      false;  // is_continued: that trigger's; those of this one differ and change nothing
  std::optional<domain::Window> window{};
  std::optional<Instant> watermark{};
  std::vector<std::string> notes{};  // what differs from what was asked for, for people
  std::string reason{};              // why nothing or not everything was planned
  std::string hint{};                // what to do about it
  bool is_fused = false;             // kHeld: no time that passes helps, a person has to act
  std::optional<int> stops_after{};  // kPriced: so many slices have room, `reason` says why no more
  std::optional<domain::PriceTag> price{};
  std::vector<domain::Window> stretches{};  // kPriced: the first slices, for people
  std::optional<AskedFor> asked{};          // absent: nothing, or not by time
  // The same with what earlier commands brought of it: whoever asks for everything up to now is told what is in quarantine
  // of it, as often as they ask.
  std::optional<AskedFor> answers_for{};
  // Of `answers_for`, before what is asked for now: what was proven once and is not any more.
  std::vector<domain::Window> doubted{};
  // Where what was asked for went on beyond now less the safety lag: planned is what lies before.
  std::optional<Instant> not_yet_from{};
  std::vector<std::string> asked_ids{};
  std::vector<Id> replaced{};       // plans by an older definition that brought nothing: withdrawn
  std::vector<Id> older{};          // those that brought something, and go on
  int tried_again = 0;              // slices that failed before and are queued once more
  std::vector<Id> retried_plans{};  // whose slices they are
  std::vector<domain::UnfinishedSlice> given_up{};  // that no command tries again
};

struct PlanReport {
  std::vector<Error> problems{};  // of the definition or the command: then nothing is planned
  std::string source{};
  std::string endpoint{};
  std::string found_by{};              // how the endpoint was found
  std::vector<std::string> applied{};  // what changed in the registry
  std::vector<std::string> warnings{};
  Planned planned{};
};

}  // namespace patra::app
