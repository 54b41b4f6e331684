// Locks on the file itself keep those who open it from stepping on each other: byte 0 is held while
// somebody looks whether the content is sound and makes it so, byte 1 is shared by all who use it. Only who
// gets byte 1 alone may start over. Far behind the end, everyone holds a byte of its own, whose number is part of the
// leases it takes. The kernel drops all of them when a process dies, in whichever container it was: a lease whose
// byte is free has nobody who would give it back.
//
// The content is guarded by a robust mutex inside it. Its next holder after a death is told so; the cells
// that were being changed are thrown away then, and since nobody knows what they held, cells that are made
// from then on begin with used-up windows.
#include "infra/gate/gate_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/named_file.h"
#include "base/quote.h"
#include "base/random.h"
#include "infra/gate/rested_state.h"

namespace patra::infra::gate {
namespace {

constexpr std::uint64_t kMagic = 0x6574616761727470;
constexpr int kLockTimeoutSeconds = 2;
// Longer than any limit's window that is not a quota of the store.
constexpr Duration kIdleBeforeReuse = std::chrono::hours(26);

constexpr off_t BytesFor(std::uint64_t cells) {
  const auto most = std::min<std::uint64_t>(cells, kGateCells);
  return static_cast<off_t>(kGateHeadBytes + most * sizeof(domain::GateCell));
}

constexpr off_t kOpeningByte = 0;
constexpr off_t kUsingByte = 1;
constexpr off_t kOwnerBytes = off_t{1} << 40;

Error FileError(const std::string& path, std::string_view doing) {
  return Error{ErrorCode::kUnavailable,
               fmt::format("{} the gate file {}: {}", doing, path,
                           std::strerror(errno)),  // NOLINT(concurrency-mt-unsafe)
               {},
               "the folder of the store has to be writable and on a local disk"};
}

std::unexpected<Error> NotAGate(const std::string& path, std::string_view why) {
  return Fail(ErrorCode::kConflict,
              fmt::format("{} should be the gate file of the store, but {}", path, why), {},
              "it is left as it is; move it away, and the gate makes its own. What was sent lately "
              "is not known then, and counts as used up");
}

// What a file that is no gate file looks like, so that its owner knows it again.
std::string WhatStandsIn(int file) {
  std::array<char, 40> bytes{};
  const auto size = pread(file, bytes.data(), bytes.size(), 0);
  const std::string_view begin(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (begin.starts_with("SQLite format 3")) return "an SQLite database";
  const bool is_text = std::ranges::all_of(begin, [](char c) {
    return c == '\n' || c == '\r' || c == '\t' || static_cast<unsigned char>(c) >= 0x20;
  });
  return is_text ? fmt::format("text that begins with {}", Quote(begin))
                 : "bytes that no gate file begins with";
}

struct flock LockOf(off_t byte, short type) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

// false where somebody else has it and `wait` is not wanted, or the call fails.
bool LockByte(int file, off_t byte, short type, bool wait) {
  auto lock = LockOf(byte, type);
  int outcome = 0;
  do {
    outcome = fcntl(file, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
  } while (outcome != 0 && errno == EINTR);
  return outcome == 0;
}

std::uint64_t KeyHash(std::string_view key) {
  const auto hash = HashText(key);
  return hash == 0 ? 1 : hash;
}

void Forget(GateMemory& memory, std::size_t index) {
  memory.hashes[index] = 0;
  memory.cells[index].key[0] = '\0';
}

void Recover(GateMemory& memory, Duration now) {
  ++memory.recoveries;
  for (auto& index : memory.busy) {
    if (index < 0) continue;
    Forget(memory, static_cast<std::size_t>(index) % kGateCells);
    memory.lost_at = now;
    index = -1;
  }
}

}  // namespace

Result<std::unique_ptr<GateFile>> GateFile::Open(const std::string& path, app::GateLedger& ledger,
                                                 const Clock& clock) {
  constexpr int kTriesMax = 100;
  for (int i = 0; i < kTriesMax; ++i) {
    if (auto gate = PATRA_TRY(TryOpen(path, ledger, clock))) return gate;
  }
  return Fail(ErrorCode::kUnavailable,
              fmt::format("the gate file {} is put away again and again", path), {},
              "fewer processes should start and end at once on this store");
}

Result<std::unique_ptr<GateFile>> GateFile::TryOpen(const std::string& path,
                                                    app::GateLedger& ledger, const Clock& clock) {
  // Whoever may write to the folder could put a link there that leads to a file of ours.
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0 && errno == ELOOP) return NotAGate(path, "is a link");
  if (file < 0 && errno == EISDIR) return NotAGate(path, "is a folder");
  if (file < 0) return std::unexpected(FileError(path, "opening"));
  std::unique_ptr<GateFile> gate(new GateFile(path, file));
  if (!LockByte(file, kOpeningByte, F_WRLCK, true))
    return std::unexpected(FileError(path, "locking"));
  if (gate->IsReplaced()) return nullptr;
  const auto mark = PATRA_TRY(gate->ReadMark());
  PATRA_TRY(gate->Map());
  PATRA_TRY(gate->TakeUp(mark, ledger, clock));
  gate->ahead_ = gate->memory_->clock.ahead;
  if (!LockByte(file, kUsingByte, F_RDLCK, true))
    return std::unexpected(FileError(path, "locking"));
  LockByte(file, kOpeningByte, F_UNLCK, false);
  PATRA_TRY(gate->TakeNumber(HashText(fmt::format("{} {}", getpid(), clock.Elapsed().count()))));
  return gate;
}

Result<void> GateFile::TakeUp(const GateMark& mark, app::GateLedger& ledger, const Clock& clock) {
  const auto at = AwakeningNow(clock);
  const auto epoch = PATRA_TRY(ledger.Epoch());
  const bool is_new = mark.magic == 0;
  const bool is_ours = !is_new && epoch && mark.epoch == *epoch && mark.layout == kGateLayout;
  if (is_ours && mark.boot == at.boot && IsWhole()) return {};

  std::optional<RestedState> state;
  if (is_ours && IsWhole()) state = Salvage(PATRA_TRY(ReadAll()), at);
  if (is_new) {
    if (const auto resting = PATRA_TRY(ledger.Resting())) state = WakeUp(*resting, at);
  }
  if (!state) {
    // A state that never existed has nothing to forget.
    const bool is_first = is_new && !epoch;
    state = RestedState{.clock = {.ahead = {}, .zero = at.wall - at.elapsed},
                        .lost_at = is_first ? domain::kLongAgo : at.elapsed};
  }
  const auto next = static_cast<std::int64_t>(
      HashText(fmt::format("{} {} {}", getpid(), at.wall.time_since_epoch().count(),
                           at.elapsed.count())) >>
      1);
  PATRA_TRY(StartOver(*state, {.layout = kGateLayout, .boot = at.boot, .epoch = next}));
  return ledger.SetEpoch(next);
}

Result<void> GateFile::PutAway(app::GateLedger& ledger, const Clock& clock) {
  if (!LockByte(file_, kOpeningByte, F_WRLCK, true))
    return std::unexpected(FileError(path_, "locking"));
  const auto leave = [&] { LockByte(file_, kOpeningByte, F_UNLCK, false); };
  // Others who use it do this later.
  const bool is_last = LockByte(file_, kUsingByte, F_WRLCK, false);
  if (!is_last || IsReplaced() || !IsWhole()) {
    leave();
    return {};
  }
  const auto now = clock.Elapsed() + ahead();
  auto resting = [&]() -> Result<void> {
    const auto memory = PATRA_TRY(Lock(now));
    return ledger.Rest(PutToRest(*memory, now));
  }();
  if (resting) unlink(path_.c_str());
  leave();
  return resting;
}

Result<void> GateFile::TakeNumber(std::uint64_t seed) {
  constexpr int kTriesMax = 100;
  SeededRandom random(seed);
  for (int i = 0; i < kTriesMax; ++i) {
    const auto number = static_cast<domain::LeaseOwner>(1 + random.Below(1U << 30));
    if (!LockByte(file_, kOwnerBytes + off_t{number}, F_WRLCK, false)) continue;
    owner_ = number;
    return {};
  }
  return std::unexpected(FileError(path_, "locking"));
}

bool GateFile::IsAlive(domain::LeaseOwner owner) const {
  if (owner == owner_) return true;
  auto lock = LockOf(kOwnerBytes + off_t{owner}, F_WRLCK);
  // Who cannot be asked about lives: its lease runs out by itself.
  return fcntl(file_, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

GateFile::~GateFile() {
  if (memory_ != nullptr) munmap(memory_, sizeof(GateMemory));
  close(file_);
}

Result<GateMark> GateFile::ReadMark() {
  struct stat status{};
  if (fstat(file_, &status) != 0) return std::unexpected(FileError(path_, "looking at"));
  if (!S_ISREG(status.st_mode)) return NotAGate(path_, "is no regular file");
  GateMark mark;
  if (status.st_size == 0) return mark;
  const auto bytes = pread(file_, &mark, sizeof(mark), 0);
  if (bytes < 0) return std::unexpected(FileError(path_, "reading"));
  // Who died while making one left it without its magic number, but with its size.
  const bool is_half_made = mark.magic == 0 && status.st_size == BytesFor(0);
  if (bytes < static_cast<ssize_t>(sizeof(mark.magic)) || (mark.magic != kMagic && !is_half_made)) {
    return NotAGate(path_, "holds " + WhatStandsIn(file_));
  }
  return mark;
}

bool GateFile::IsWhole() const {
  struct stat status{};
  return fstat(file_, &status) == 0 && status.st_size >= BytesFor(0) &&
         status.st_size >= BytesFor(memory_->made);
}

Result<std::string> GateFile::ReadAll() const {
  std::string bytes(static_cast<std::size_t>(BytesFor(memory_->made)), '\0');
  const auto count = pread(file_, bytes.data(), bytes.size(), 0);
  if (count < 0) return std::unexpected(FileError(path_, "reading"));
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

// Room that the disk has promised: a page that it has none for would end the process that touches it.
Result<void> GateFile::MakeRoom(std::uint64_t cells) {
  const int problem = posix_fallocate(file_, 0, BytesFor(cells));
  if (problem == 0) return {};
  errno = problem;
  return std::unexpected(FileError(path_, "making room in"));
}

// Memory behind the end of a file cannot be touched: the kernel ends the process that tries.
Result<void> GateFile::CheckWhole() const {
  if (IsWhole()) return {};
  return Fail(ErrorCode::kUnavailable,
              fmt::format("the gate file {} was cut short while it was in use", path_), {},
              "stop all processes on this store and start again; leave the file alone");
}

Result<void> GateFile::Map() {
  void* address = mmap(nullptr, sizeof(GateMemory), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (address == MAP_FAILED) return std::unexpected(FileError(path_, "mapping"));
  memory_ = static_cast<GateMemory*>(address);
  return {};
}

Result<void> GateFile::StartOver(const RestedState& state, const GateMark& mark) {
  if (!LockByte(file_, kUsingByte, F_WRLCK, false)) {
    return Fail(
        ErrorCode::kConflict,
        fmt::format("the gate file {} is in use, and another gate has counted since: of another "
                    "store or version, of another machine, or in a Redis",
                    path_),
        {},
        "stop the other processes on this store first; where several machines use one store, let "
        "all of them go by one Redis (--gate)");
  }
  // Giving the pages back is faster than writing zeros.
  if (ftruncate(file_, 0) != 0) return std::unexpected(FileError(path_, "clearing"));
  PATRA_TRY(MakeRoom(0));

  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  const int problem = pthread_mutex_init(&memory_->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  if (problem != 0) return Fail(ErrorCode::kInternal, "no mutex for the gate");

  memory_->clock = state.clock;
  memory_->lost_at = state.lost_at;
  memory_->busy.fill(-1);
  PATRA_TRY(MakeRoom(state.cells.size()));
  for (const auto& cell : state.cells) {
    memory_->cells[memory_->made] = cell;
    memory_->hashes[memory_->made] = KeyHash(cell.name());
    ++memory_->made;
  }
  memory_->mark = mark;
  memory_->mark.magic = kMagic;
  return {};
}

bool GateFile::IsReplaced() const { return !IsStillNamed(file_, path_); }

Result<GateFile::Locked> GateFile::Lock(Duration now) {
  PATRA_TRY(CheckWhole());
  int outcome = pthread_mutex_trylock(&memory_->mutex);
  if (outcome == EBUSY) {
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += kLockTimeoutSeconds;
    outcome = pthread_mutex_timedlock(&memory_->mutex, &until);
  }
  if (outcome == EOWNERDEAD) {
    Recover(*memory_, now);
    pthread_mutex_consistent(&memory_->mutex);
    outcome = 0;
  }
  if (outcome == 0) return Locked(*this);
  return Fail(ErrorCode::kUnavailable, fmt::format("the gate file {} stays locked", path_), {},
              "a process on this store is stopped or hangs; end it");
}

GateFile::Locked::~Locked() {
  if (memory_ == nullptr) return;
  memory_->busy.fill(-1);
  pthread_mutex_unlock(&memory_->mutex);
}

domain::GateCell* GateFile::Locked::Find(std::string_view key) const {
  const auto hash = KeyHash(key);
  for (std::size_t i = 0; i < memory_->made; ++i) {
    if (memory_->hashes[i] != hash || memory_->cells[i].name() != key) continue;
    Mark(i);
    return &memory_->cells[i];
  }
  return nullptr;
}

Result<domain::GateCell*> GateFile::Locked::FindOrClaim(std::string_view key,
                                                        const domain::GateRules& rules,
                                                        Duration now, bool& is_new) const {
  if (auto* found = Find(key)) {
    // One that has never been used by us was told to stop by a provider that another version has asked.
    is_new = is_new || found->used_at == domain::kLongAgo;
    found->used_at = now;
    return found;
  }
  const auto index = PATRA_TRY(FindRoom(now));
  Mark(index);
  Forget(*memory_, index);
  domain::Claim(memory_->cells[index], key, rules, now);
  memory_->hashes[index] = KeyHash(key);
  is_new = true;
  return &memory_->cells[index];
}

// Among the cells that are made, then behind them, then where nobody has been for long.
Result<std::size_t> GateFile::Locked::FindRoom(Duration now) const {
  std::size_t best = kGateCells;
  for (std::size_t i = 0; i < memory_->made; ++i) {
    const auto& cell = memory_->cells[i];
    if (memory_->hashes[i] == 0) return i;
    const bool is_idle = now - cell.used_at > kIdleBeforeReuse && cell.frozen_until <= now;
    if (is_idle && (best == kGateCells || cell.used_at < memory_->cells[best].used_at)) best = i;
  }
  if (memory_->made < kGateCells) {
    PATRA_TRY(file_->MakeRoom(memory_->made + 1));
    return memory_->made++;
  }
  if (best == kGateCells) {
    return Fail(ErrorCode::kUnavailable, fmt::format("the gate knows {} keys already", kGateCells),
                {}, "use fewer sources, endpoints or credentials on one store");
  }
  return best;
}

void GateFile::Locked::Mark(std::size_t index) const {
  for (auto& busy : memory_->busy) {
    if (busy >= 0 && static_cast<std::size_t>(busy) != index) continue;
    busy = static_cast<std::int32_t>(index);
    // The mark has to be there before the change is, for whoever finds the remains.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return;
  }
  PATRA_ASSERT(false);
}

}  // namespace patra::infra::gate
