// How a state that was lost is noticed. Everything in Redis belongs to a generation, and a generation to one run of one
// server. A head that is gone, of another run, or of a generation that does not hold what we have sent (another one made it
// after a flush) begins a new generation, whose limits count as used up when it begins: after a restart from a file, or a
// failover, nobody knows what the last seconds held. A single cell that is missing although the head says it is kept was
// evicted, and counts as used up from now on. What this process remembers of stops is carried over.
#include "infra/redis/shared_cells.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include <fmt/format.h>

#include "infra/redis/cell_bytes.h"
#include "infra/redis/gate_scripts.h"

namespace patra::infra::redis {
namespace {

// Some two seconds on average, so that a machine that is busy with much else is no reason to give up.
constexpr int kTriesMax = 60;
constexpr int kTriesAtOnce = 6;
constexpr std::int64_t kPauseFirst = 250;  // microseconds at most; twice that after each try
constexpr std::int64_t kPauseMax = 100'000;
// Longer than any limit's window that is not a quota of the store.
constexpr Duration kKeep = std::chrono::hours(26);
constexpr Duration kKeepMax = std::chrono::days(400);
constexpr Duration kEarlyMax = std::chrono::milliseconds(2);
constexpr Duration kLateMax = std::chrono::milliseconds(500);
constexpr std::string_view kNone = "-";  // no generation is called so
constexpr std::size_t kHeadParts = 7;
constexpr std::size_t kCellParts = 4;

std::optional<Duration> TimeIn(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Duration(number);
}

std::string TextOf(const std::optional<Duration>& time) {
  return time ? std::to_string(time->count()) : std::string();
}

std::optional<std::int64_t> NumberIn(const std::string& text) {
  const auto time = TimeIn(text);
  return time ? std::optional(time->count()) : std::nullopt;
}

std::string KeepMilliseconds(const std::vector<domain::GateCell>* cells, Duration now) {
  auto keep = kKeep;
  if (cells != nullptr) {
    for (const auto& cell : *cells)
      keep = std::max(keep, std::min(cell.frozen_until - now + kKeep, kKeepMax));
  }
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(keep).count());
}

std::string KeyOf(const std::string& name) { return std::string(kCellPrefix) + name; }

Error Garbled() {
  return {ErrorCode::kUnavailable, "Redis answers in a way that nobody asked for", {}, {}};
}

}  // namespace

SharedCells::SharedCells(SharedOptions options, app::GateLedger& ledger, const Clock& clock)
    : options_(std::move(options)),
      ledger_(ledger),
      clock_(clock),
      random_(options_.seed),
      client_(fmt::format("{:016x}", random_.Next())),
      server_clock_(options_.time_by == TimeBy::kServer
                        ? clock.Now().time_since_epoch() - clock.Elapsed()
                        : Duration::zero()) {}

Result<void> SharedCells::Connect() {
  connection_ = PATRA_TRY(Connection::Open(options_.connect));
  return {};
}

domain::GateTime SharedCells::Now() const {
  if (options_.time_by == TimeBy::kCaller) return {clock_.Elapsed(), clock_.Now()};
  const auto now = clock_.Elapsed() + server_clock_.ahead();
  return {now, Instant(now)};
}

Result<SharedCells::Outcome> SharedCells::Exchange(const CellSet& set,
                                                   const domain::GateRules& rules,
                                                   const Change& change) {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (tries >= kTriesAtOnce && !PATRA_TRY(PauseAndRead(set, tries))) return Outcome::kAway;
    const bool decides = !head_.generation.empty();
    const auto time = Now();
    Working working;
    bool stores = false;
    if (decides) {
      working = Copies(set, &rules, time);
      stores = change(set.Bind(working.cells), time);
    }
    ++request_;
    const auto reply = Send(set, stores ? &working.cells : nullptr, time, stores);
    if (!reply) return Outcome::kAway;
    const auto& status = reply->parts[0].text;
    const bool holds = decides && !stores && IsAsExpected(set, *reply);
    if (status == "stored") {
      Commit(set, working.cells, *reply, time);
      return Outcome::kStored;
    }
    auto learned = Learn(set, *reply);
    if (!is_connected()) return Outcome::kAway;
    PATRA_TRY(std::move(learned));
    if (holds) return Outcome::kStored;
    if (status == "done") {
      stored_at_ = time.now;
      return Outcome::kStored;
    }
  }
  return Fail(ErrorCode::kUnavailable, "too many others change the gate's state in Redis", {},
              "fewer processes should share one limit");
}

Result<std::optional<bool>> SharedCells::ChangeOne(
    const std::string& name, const std::function<void(domain::GateCell&)>& change) {
  const auto set = CellSet::OfOne(name);
  bool has_read = false;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const auto time = Now();
    const bool stores = !head_.generation.empty() && has_read;
    Working working;
    if (stores) {
      working = Copies(set, nullptr, time);
      if (!working.exists[0]) return false;
      change(working.cells[0]);
    }
    ++request_;
    const auto reply = Send(set, stores ? &working.cells : nullptr, time, stores);
    if (!reply) return std::nullopt;
    if (reply->parts[0].text == "stored") {
      Commit(set, working.cells, *reply, time);
      return true;
    }
    auto learned = Learn(set, *reply);
    if (!is_connected()) return std::nullopt;
    PATRA_TRY(std::move(learned));
    if (reply->parts[0].text == "done") return true;
    has_read = true;
  }
  return Fail(ErrorCode::kUnavailable, "too many others change the gate's state in Redis");
}

// One who has lost again and again lets the others pass. What it knew is old by then, so that it looks anew.
Result<bool> SharedCells::PauseAndRead(const CellSet& set, int tries) {
  const auto most = std::min(kPauseFirst << std::min(tries - kTriesAtOnce, 16), kPauseMax);
  std::this_thread::sleep_for(std::chrono::microseconds(random_.Between(0, most)));
  const auto reply = Send(set, nullptr, Now(), false);
  if (!reply) return false;
  auto learned = Learn(set, *reply);
  if (!is_connected()) return false;
  PATRA_TRY(std::move(learned));
  return true;
}

SharedCells::Working SharedCells::Copies(const CellSet& set, const domain::GateRules* rules,
                                         const domain::GateTime& time) {
  Working working;
  std::optional<Duration> lost_at;
  const auto lose = [&](Duration at) { lost_at = std::max(lost_at.value_or(at), at); };
  working.cells.reserve(set.names.size());
  for (const auto& name : set.names) {
    const auto& entry = entries_[name];
    const bool is_there = entry.version != "0" && entry.cell;
    const bool is_remembered =
        entry.cell && (is_there || entry.is_missed || entry.generation != head_.generation);
    working.exists.push_back(is_there);
    if (is_remembered) {
      auto& cell = working.cells.emplace_back(*entry.cell);
      if (rules != nullptr) cell.used_at = time.now;
      if (is_there && entry.generation == head_.generation) continue;
      domain::ForgetUse(cell);
    } else {
      auto& cell = working.cells.emplace_back();
      if (rules != nullptr) domain::Claim(cell, name, *rules, time.now);
    }
    if (entry.is_missed) lose(time.now);
    if (head_.lost_at) lose(*head_.lost_at);
  }
  if (rules != nullptr && lost_at)
    domain::AssumeFull(*rules, set.Bind(working.cells),
                       {*lost_at, time.wall - (time.now - *lost_at)});
  return working;
}

Result<Reply> SharedCells::Send(const CellSet& set, const std::vector<domain::GateCell>* cells,
                                const domain::GateTime& time, bool stores) {
  std::vector<std::string> keys{std::string(kHeadKey)};
  std::vector<std::string> arguments{
      stores ? "1" : "0",
      client_,
      std::to_string(request_),
      ExpectedGeneration(),
      std::to_string(time.now.count()),
      std::to_string(kEarlyMax.count()),
      std::to_string(options_.time_by == TimeBy::kServer ? kLateMax.count() : 0),
      KeepMilliseconds(cells, time.now)};
  for (std::size_t i = 0; i < set.names.size(); ++i) {
    keys.push_back(KeyOf(set.names[i]));
    const auto& entry = entries_[set.names[i]];
    arguments.push_back(entry.version == "0" ? "0@" : entry.version + "@" + entry.generation);
    arguments.push_back(cells != nullptr ? BytesOf((*cells)[i]) : std::string());
  }
  const std::vector<std::string_view> key_views(keys.begin(), keys.end());
  const std::vector<std::string_view> argument_views(arguments.begin(), arguments.end());
  auto reply = PATRA_TRY(RunOrReconnect(kExchangeScript, key_views, argument_views));
  if (reply.parts.size() == kHeadParts + kCellParts * set.names.size()) return reply;
  connection_.reset();
  return std::unexpected(Garbled());
}

std::string SharedCells::ExpectedGeneration() const {
  const bool is_of_this_run = is_connected() && connection_->run_id() == head_.run;
  return is_of_this_run ? head_.generation : std::string(kNone);
}

Result<Reply> SharedCells::RunOrReconnect(std::string_view script,
                                          const std::vector<std::string_view>& keys,
                                          std::vector<std::string_view> arguments) {
  const std::size_t generation = script == kExchangeScript ? 3 : 0;
  for (int tries = 0; tries < 2; ++tries) {
    if (!is_connected()) {
      if (tries == 0) break;
      if (!Connect()) break;
      // Another run of the server may have an old state under the same name.
      if (!head_.run.empty() && connection_->run_id() != head_.run) arguments[generation] = kNone;
    }
    const auto before = clock_.Elapsed();
    ++round_trips_;
    auto reply = connection_->Run(script, keys, arguments);
    if (reply && reply->parts.size() >= kHeadParts) {
      const auto seconds = NumberIn(reply->parts[1].text);
      const auto rest = NumberIn(reply->parts[2].text);
      if (options_.time_by == TimeBy::kServer && seconds && rest) {
        const auto shown = Duration(std::chrono::seconds(*seconds)) + Duration(*rest);
        if (server_clock_.Heard(before, clock_.Elapsed(), shown)) has_jumped_ = true;
      }
      return reply;
    }
    connection_.reset();
  }
  connection_.reset();
  return Fail(ErrorCode::kUnavailable, "Redis is away");
}

void SharedCells::Commit(const CellSet& set, const std::vector<domain::GateCell>& cells,
                         const Reply& reply, const domain::GateTime& time) {
  for (std::size_t i = 0; i < set.names.size(); ++i) {
    entries_[set.names[i]] = {.version = reply.parts[kHeadParts + kCellParts * i].text,
                              .generation = head_.generation,
                              .cell = cells[i],
                              .seen_at = clock_.Elapsed()};
  }
  stored_at_ = time.now;
}

bool SharedCells::IsAsExpected(const CellSet& set, const Reply& reply) const {
  const auto head = HeadIn(reply);
  if (head.generation != head_.generation || !is_connected() || head.run != connection_->run_id())
    return false;
  for (std::size_t i = 0; i < set.names.size(); ++i) {
    const auto* part = &reply.parts[kHeadParts + kCellParts * i];
    const auto found = entries_.find(set.names[i]);
    if (found == entries_.end() || part[0].text != found->second.version ||
        part[1].text != found->second.generation)
      return false;
  }
  return true;
}

Result<void> SharedCells::Learn(const CellSet& set, const Reply& reply) {
  for (std::size_t i = 0; i < set.names.size(); ++i) {
    const auto* part = &reply.parts[kHeadParts + kCellParts * i];
    auto& entry = entries_[set.names[i]];
    const bool had_it = entry.version != "0";
    const bool is_known_one = part[0].text == entry.version && part[1].text == entry.generation;
    const bool is_older = NumberIn(part[0].text).value_or(0) < NumberIn(entry.version).value_or(0);
    entry.seen_at = clock_.Elapsed();
    entry.is_missed = part[3].text == "1" || (had_it && is_older && part[0].text != "0");
    entry.version = part[0].text;
    if (entry.version == "0") continue;  // what we remember may still say who must wait
    entry.generation = part[1].text;
    if (is_known_one) continue;
    if (auto cell = CellIn(part[2].text)) {
      entry.cell = *cell;
    } else {
      // Another version of patra wrote it: nobody here knows what it says.
      entry.cell.reset();
      entry.is_missed = true;
    }
  }
  return Believe(HeadIn(reply));
}

SharedCells::Head SharedCells::HeadIn(const Reply& reply) {
  return {.generation = reply.parts[3].text,
          .run = reply.parts[4].text,
          .lost_at = TimeIn(reply.parts[5].text),
          .resume_at = TimeIn(reply.parts[6].text)};
}

Result<void> SharedCells::Believe(Head head) {
  if (!asked_ledger_) {
    if (const auto epoch = PATRA_TRY(ledger_.Epoch())) known_ = std::to_string(*epoch);
    asked_ledger_ = true;
  }
  constexpr int kRoundsMax = 8;
  for (int round = 0; round < kRoundsMax; ++round) {
    if (Covers(head)) {
      Adopt(head);
      return {};
    }
    const bool is_first = head.generation.empty() && !known_;
    head = PATRA_TRY(StartGeneration(head, is_first));
  }
  return Fail(ErrorCode::kUnavailable, "the gate's state in Redis is lost again and again", {},
              "nobody else should write to keys that begin with {patra}");
}

bool SharedCells::Covers(const Head& head) const {
  if (head.generation.empty() || !is_connected() || head.run != connection_->run_id() ||
      has_jumped_)
    return false;
  if (!known_ || head.generation == *known_) return true;
  return stored_at_ && head.lost_at && *head.lost_at >= *stored_at_;
}

Result<SharedCells::Head> SharedCells::StartGeneration(const Head& before, bool is_first) {
  if (!is_connected()) return Fail(ErrorCode::kUnavailable, "Redis is away");
  // Negative, so that no store takes it for the epoch of a gate file.
  const auto generation = std::to_string(-1 - static_cast<std::int64_t>(random_.Next() >> 2));
  const auto now = Now().now;
  const auto lost_at = settles_ ? now + options_.settle_for : now;
  const Head begun{.generation = generation,
                   .run = connection_->run_id(),
                   .lost_at = is_first ? std::nullopt : std::optional(lost_at),
                   .resume_at = settles_ ? std::optional(lost_at) : before.resume_at};
  const auto keep = KeepMilliseconds(nullptr, now);
  const auto expected_resume = TextOf(before.resume_at);
  const auto lost = TextOf(begun.lost_at);
  const auto resume = TextOf(begun.resume_at);
  const auto reply = PATRA_TRY(RunOrReconnect(
      kHeadScript, {kHeadKey},
      {before.generation, expected_resume, begun.generation, begun.run, lost, resume, keep}));
  const auto head = HeadIn(reply);
  // Only the generation that we began ourselves is known to begin after everything that we sent.
  if (head.generation == generation) {
    has_jumped_ = false;
    known_ = generation;
    is_noted_ = false;
    stored_at_ = now;
  }
  return head;
}

void SharedCells::Adopt(const Head& head) {
  const bool is_new = known_ != head.generation || !is_noted_;
  head_ = head;
  known_ = head.generation;
  if (!is_new) return;
  // A store that cannot note it now is asked again next time; until then it knows of an older one, which is safe.
  const auto number = NumberIn(head.generation);
  is_noted_ = number && ledger_.SetEpoch(*number).has_value();
}

Result<std::optional<Duration>> SharedCells::AgreeOnReturn() {
  settles_ = true;
  const auto agreed = [&]() -> Result<std::optional<Duration>> {
    const auto none = CellSet{};
    const auto reply = Send(none, nullptr, Now(), false);
    if (!reply) return std::nullopt;
    auto believed = Believe(HeadIn(*reply));
    if (!is_connected()) return std::nullopt;
    PATRA_TRY(std::move(believed));
    constexpr int kRoundsMax = 8;
    for (int round = 0; round < kRoundsMax; ++round) {
      const auto now = Now().now;
      if (head_.resume_at && *head_.resume_at > now) return head_.resume_at;
      const auto expected = TextOf(head_.resume_at);
      const auto lost = TextOf(head_.lost_at);
      const auto resume = TextOf(now + options_.settle_for);
      const auto keep = KeepMilliseconds(nullptr, now);
      const auto set = RunOrReconnect(
          kHeadScript, {kHeadKey},
          {head_.generation, expected, head_.generation, head_.run, lost, resume, keep});
      if (!set) return std::nullopt;
      auto learned = Believe(HeadIn(*set));
      if (!is_connected()) return std::nullopt;
      PATRA_TRY(std::move(learned));
    }
    return std::nullopt;
  }();
  settles_ = false;
  return agreed;
}

std::optional<Duration> SharedCells::SeenAt(const CellSet& set) const {
  auto oldest = Duration::max();
  for (const auto& name : set.names) {
    const auto found = entries_.find(name);
    if (found == entries_.end() || !found->second.cell || found->second.version == "0" ||
        found->second.generation != head_.generation)
      return std::nullopt;
    oldest = std::min(oldest, found->second.seen_at);
  }
  return oldest;
}

domain::GateCells SharedCells::Seen(const CellSet& set) {
  domain::GateCells cells;
  for (std::size_t scope = 0; scope < set.of.size(); ++scope) {
    if (set.of[scope] < 0) continue;
    cells.of[scope] = &*entries_[set.names[static_cast<std::size_t>(set.of[scope])]].cell;
  }
  return cells;
}

const domain::GateCell* SharedCells::Remembered(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() || !found->second.cell ? nullptr : &*found->second.cell;
}

Result<std::vector<domain::GateCell>> SharedCells::ReadAll() {
  if (!is_connected()) PATRA_TRY(Connect());
  std::vector<domain::GateCell> cells;
  const auto head = PATRA_TRY(connection_->Ask({"HKEYS", kHeadKey}));
  for (const auto& field : head.parts) {
    constexpr std::string_view kIndex = "cell:";
    if (!field.text.starts_with(kIndex)) continue;
    const auto key = std::string_view(field.text).substr(kIndex.size());
    const auto bytes = PATRA_TRY(connection_->Ask({"HGET", key, "bytes"}));
    if (const auto cell = CellIn(bytes.text)) cells.push_back(*cell);
  }
  // So that times can be told although nothing was decided yet.
  PATRA_TRY(
      RunOrReconnect(kExchangeScript, {kHeadKey}, {"0", client_, "0", "", "0", "0", "0", "0"}));
  return cells;
}

}  // namespace patra::infra::redis
