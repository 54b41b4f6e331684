// What a trigger may ask of the planner, and what comes of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/plan/plan.h"
#include "domain/plan/price_tag.h"
#include "domain/plan/unfinished_slice.h"
#include "domain/window/window.h"

namespace patra::app {

// Who fired, for the lineage (I1).
struct TriggerOrigin {
  std::string scheduler = "INTERNAL";
  std::optional<std::string> job_id{};
  std::optional<std::string> log_id{};
  std::string type = "MANUAL";
  Value params = Value::Object{};
};

domain::Trigger TriggerOf(const TriggerOrigin& origin, Id id, Instant fired_at,
                          const domain::Lane& lane);

struct PlanOptions {
  TriggerOrigin origin{};
  bool again = false;    // a new plan even where the same one exists
  bool dry_run = false;  // writes nothing at all
  bool tries_again =
      true;              // what earlier commands left FAILED or PARTIAL; not twice in one command
  bool repeats = false;  // what a plan of the same brought already is wanted once more
  std::optional<int> priority{};
  std::optional<std::int64_t> requests_max{};  // of this trigger; what is over waits for the next
  std::optional<int> tasks_at_once{};          // of this trigger's plan, whoever works
  Duration spread{};                           // over which the starts of tasks are spread
  Value resolution = Value::Object{};          // how source and endpoint were found
  std::vector<std::string> warnings{};         // of the compiler
  std::string origins = "[]";                  // of the snapshot's values, see plan_origins.h
};

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
  // Where what was asked for went on beyond now less the safety lag: planned is what lies before.
  std::optional<Instant> not_yet_from{};
  std::vector<std::string> asked_ids{};
  int tried_again = 0;  // slices that failed before and are queued once more
  std::vector<domain::UnfinishedSlice> given_up{};  // that no command tries again
};

}  // namespace patra::app
