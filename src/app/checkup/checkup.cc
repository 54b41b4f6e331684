#include "app/checkup/checkup.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/certificate.h"
#include "base/duration.h"

namespace patra::app {
namespace {

using Level = CheckupLine::Level;

// Work stops where a page cannot be stored; a checkpoint or a backup needs as much again.
constexpr std::int64_t kRoomWrongBelow = std::int64_t{200} << 20;
constexpr std::int64_t kRoomWarnBelow = std::int64_t{2} << 30;
constexpr int kRoomWarnPercent = 5;
constexpr std::int64_t kFilesWarnBelow = 1024;
// Leases last 15 s; who is further off takes others' time for his own.
constexpr Duration kClockWarnFrom = std::chrono::seconds(2);
constexpr Duration kClockWrongFrom = std::chrono::minutes(1);
constexpr Duration kAliveWithin = std::chrono::minutes(1);
// A service looks every second.
constexpr Duration kFiresWithin = std::chrono::seconds(30);
constexpr Duration kCertificateWarnBefore = std::chrono::days(14);
constexpr int kExecutionsLookedAt = 100;
constexpr int kAlertsMost = 100;
constexpr std::size_t kNamesTold = 5;

class Topic {
 public:
  Topic(std::string name, CheckupLines& lines) : name_(std::move(name)), lines_(lines) {}

  void Ok(std::string said) { Add(Level::kOk, std::move(said), {}); }
  void Warn(std::string said, std::string advice) {
    Add(Level::kWarn, std::move(said), std::move(advice));
  }
  void Wrong(std::string said, std::string advice) {
    Add(Level::kWrong, std::move(said), std::move(advice));
  }
  void Failed(const Error& error) { Wrong(error.message, error.hint); }

 private:
  void Add(Level level, std::string said, std::string advice) {
    lines_.push_back(
        {.level = level, .topic = name_, .said = std::move(said), .advice = std::move(advice)});
  }

  std::string name_;
  CheckupLines& lines_;
};

std::string Mebibytes(std::int64_t bytes) { return fmt::format("{} MiB", bytes >> 20); }

void CheckRoom(Machine& machine, const std::string& path, Topic topic) {
  const auto room = machine.RoomAt(path);
  if (!room) return topic.Failed(room.error());
  const auto percent = room->bytes > 0 ? room->free_bytes * 100 / room->bytes : 0;
  const auto said =
      fmt::format("{} are free ({} %) where {} is", Mebibytes(room->free_bytes), percent, path);
  if (room->free_bytes < kRoomWrongBelow)
    return topic.Wrong(said, "make room: pages that cannot be stored stop all work");
  if (room->free_bytes < kRoomWarnBelow || percent < kRoomWarnPercent)
    return topic.Warn(said, "make room before pages cannot be stored any more");
  topic.Ok(said);
}

// Whether others may come at the file, which is told. Nothing where there is none.
std::optional<bool> WarnsOfOthers(Machine& machine, const std::string& file, Topic& topic) {
  const auto open = machine.IsOpenToOthers(file);
  if (!open) return {};
  if (*open)
    topic.Warn(fmt::format("others on this machine may read or change {}", file),
               fmt::format("chmod 600 {}", file));
  return *open;
}

void CheckModes(Machine& machine, const std::string& file, Topic topic) {
  // A store that is not there is made when it is used first, for its owner alone.
  const auto warned = WarnsOfOthers(machine, file, topic);
  if (warned && !*warned) topic.Ok(fmt::format("{} belongs to its owner alone", file));
}

void CheckClocks(Store& store, const Clock& clock, Topic topic) {
  const auto asked_at = clock.Elapsed();
  const auto store_now = store.clock().Now();
  const auto took = clock.Elapsed() - asked_at;
  const auto off = std::chrono::abs(clock.Now() - store_now);
  const auto known = std::max(off - took, Duration::zero());
  const auto said =
      fmt::format("this machine's clock is {} off the store's", FormatDuration(known));
  if (known >= kClockWrongFrom)
    return topic.Wrong(said,
                       "put it right: logs, moments that people name and providers' dates "
                       "do not go together");
  if (known >= kClockWarnFrom) return topic.Warn(said, "let it be kept right, by NTP or the like");
  topic.Ok("this machine and the store agree");
}

void CheckHolds(Store& store, Topic topic) {
  std::size_t held = 0;
  for (const auto role : {domain::Role::kPlanner, domain::Role::kExecutor}) {
    const auto holds = store.holds().Holds(role);
    if (!holds) return topic.Failed(holds.error());
    for (const auto& hold : *holds) {
      const bool is_told = role == domain::Role::kExecutor && !hold.only;
      if (is_told) continue;
      ++held;
      topic.Warn(hold.Describe(), hold.Release());
    }
  }
  if (held == 0) topic.Ok("no source is paused, and no fuse has blown");
}

void CheckAlerts(Store& store, Topic topic) {
  const auto alerts = store.alerts().List({.alerts_max = kAlertsMost});
  if (!alerts) return topic.Failed(alerts.error());
  if (alerts->empty()) return topic.Ok("nothing fires");
  const auto critical =
      std::ranges::count(*alerts, domain::Severity::kCritical, &domain::Alert::severity);
  const auto said = fmt::format("{} fire{}{}", alerts->size(),
                                std::ssize(*alerts) == kAlertsMost ? " or more" : "",
                                critical > 0 ? fmt::format(", {} of them critical", critical) : "");
  if (critical > 0) return topic.Wrong(said, "‹alerts.list› tells them");
  topic.Warn(said, "‹alerts.list› tells them");
}

void CheckExecutors(Store& store, Topic topic) {
  const auto alive = store.executors().Alive(kAliveWithin);
  if (!alive) return topic.Failed(alive.error());
  if (!alive->empty())
    return topic.Ok(fmt::format("{} at work within the last minute", alive->size()));
  const auto open = store.queue().LookAt({}, {});
  if (!open) return topic.Failed(open.error());
  if (open->open() == 0) return topic.Ok("none is at work, and nothing waits for one");
  topic.Warn(fmt::format("none is at work, and {} tasks wait for one", open->open()),
             "‹work.drain› works them off");
}

void CheckSchedule(Store& store, Topic topic) {
  const auto now = store.clock().Now();
  const auto due = store.jobs().Due(1);
  if (!due) return topic.Failed(due.error());
  const auto pending = store.executions().Log(
      {.status = domain::ExecutionStatus::kPending, .executions_max = kExecutionsLookedAt});
  if (!pending) return topic.Failed(pending.error());
  const bool is_overdue = !due->empty() && now - *due->front().next_fire_at > kFiresWithin;
  if (is_overdue) {
    topic.Warn(fmt::format("nobody fires jobs: {} has been due since {}", due->front().id,
                           FormatRfc3339(*due->front().next_fire_at)),
               "start a service with the role scheduler");
  }
  const bool waits = std::ranges::any_of(*pending, [&](const Execution& execution) {
    return now - execution.start_at > kFiresWithin;
  });
  if (waits) topic.Warn("nobody plans what has fired", "start a service with the role planner");
  if (!is_overdue && !waits) topic.Ok("nothing is overdue");
}

}  // namespace

void CheckMachine(Machine& machine, const std::optional<std::string>& file, CheckupLines& lines) {
  Topic disk("disk", lines);
  if (file) {
    CheckRoom(machine, *file, disk);
    CheckModes(machine, *file, Topic("files", lines));
  }
  Topic clock("clock", lines);
  const auto kept = machine.IsClockKept();
  if (!kept) {
    clock.Warn("the system does not say whether it keeps its clock right", "run an NTP client");
  } else if (!*kept) {
    clock.Warn("nobody keeps this machine's clock right",
               "run an NTP client: windows end by it, and providers compare it with theirs");
  } else {
    clock.Ok("the system keeps its clock right");
  }
  Topic files("files", lines);
  const auto most = machine.OpenFilesMax();
  if (most < kFilesWarnBelow) {
    files.Warn(fmt::format("this user may have {} files open", most),
               fmt::format("allow {} or more (LimitNOFILE=, ulimit -n)", kFilesWarnBelow));
  }
}

void CheckStore(StoreCare& care, const std::string& name, CheckupLines& lines) {
  Topic store("store", lines);
  const auto found = care.Look();
  if (!found) return store.Failed(found.error());
  store.Ok(fmt::format("{}, schema {}", name, found->schema));
  for (const auto& problem : found->problems) store.Wrong(problem, "‹db.check› tells more");
  for (const auto& advice : found->advice) store.Warn(advice.said, advice.advice);
}

void CheckLedger(Store& store, const Clock& clock, CheckupLines& lines) {
  CheckClocks(store, clock, Topic("clock", lines));
  CheckExecutors(store, Topic("executors", lines));
  CheckSchedule(store, Topic("schedule", lines));
  CheckHolds(store, Topic("holds", lines));
  CheckAlerts(store, Topic("alerts", lines));
}

void CheckCertificate(Machine& machine, const std::string& certificate, const std::string& key,
                      Instant now, CheckupLines& lines) {
  Topic topic("certificate", lines);
  const auto shown = machine.Read(certificate);
  if (!shown) return topic.Failed(shown.error());
  const auto life = LifeOfCertificate(*shown);
  if (!life) return topic.Failed(Error(life.error()).While(certificate));
  const auto secret = machine.Read(key);
  if (!secret) return topic.Failed(secret.error());
  WarnsOfOthers(machine, key, topic);
  const auto fits = IsKeyOf(*secret, *shown);
  if (!fits) return topic.Failed(Error(fits.error()).While(key));
  if (!*fits)
    return topic.Wrong(fmt::format("{} is not the key of {}", key, certificate),
                       "name the two that were made together");
  const auto ends = FormatRfc3339(life->ends);
  if (now < life->begins)
    return topic.Wrong(
        fmt::format("{} is not valid before {}", certificate, FormatRfc3339(life->begins)),
        "wait, or look whether this machine's clock is right");
  if (now >= life->ends)
    return topic.Wrong(fmt::format("{} has not been valid since {}", certificate, ends),
                       "have it renewed, and tell the service to read it again");
  if (life->ends - now < kCertificateWarnBefore)
    return topic.Warn(fmt::format("{} ends {}", certificate, ends),
                      "have it renewed, and tell the service to read it again");
  topic.Ok(fmt::format("{} is valid until {}", certificate, ends));
}

void CheckSources(SourceLibrary& library, const std::string& folder, CheckupLines& lines) {
  Topic sources("sources", lines);
  const auto known = library.List();
  if (!known) return sources.Failed(known.error());
  if (known->empty())
    return sources.Warn(fmt::format("there are no definitions in {}", folder),
                        "‹source.init› writes one to start from");
  std::size_t sound = 0;
  for (const auto& source : *known) {
    const auto checked = library.Check(source.source);
    const auto problems = checked ? checked->problems.size() : source.problems;
    if (!checked || problems > 0) {
      sources.Wrong(fmt::format("{} cannot be used as it is: {} problem{}", source.source, problems,
                                problems == 1 ? "" : "s"),
                    "‹source.check› tells them");
      continue;
    }
    ++sound;
    for (const auto& warning : checked->warnings) {
      if (warning.place.pointer == "/auth")
        Topic("credentials", lines)
            .Warn(fmt::format("{}: {}", source.source, warning.message), warning.hint);
    }
  }
  sources.Ok(fmt::format("{} of {} definitions in {} can be used", sound, known->size(), folder));
}

void CheckGate(RateGate& gate, const std::string& counts, bool several, CheckupLines& lines) {
  Topic topic("gate", lines);
  const auto reach = gate.Reach();
  if (reach.is_remote && reach.is_away)
    return topic.Wrong(
        "the rate gate that machines share does not answer",
        "start it: until then every executor goes on with its part of the allowance");
  if (several && !reach.is_remote) {
    topic.Warn("it counts " + counts + ", and other machines may use this store",
               "‹wish.gate redis://HOST/0›: one gate for all of them");
  } else {
    topic.Ok("it counts " + counts);
  }
  const auto keys = gate.List();
  if (!keys) return topic.Failed(keys.error());
  std::vector<std::string> shut;
  for (const auto& key : *keys) {
    if (key.blocked_until) shut.push_back(key.key);
  }
  if (shut.empty()) return;
  const auto told = std::min(shut.size(), kNamesTold);
  topic.Warn(
      fmt::format("{} key{} shut: {}{}", shut.size(), shut.size() == 1 ? " is" : "s are",
                  fmt::join(shut.begin(), shut.begin() + static_cast<std::ptrdiff_t>(told), ", "),
                  told < shut.size() ? ", …" : ""),
      "‹gate.list› tells why and until when");
}

}  // namespace patra::app
