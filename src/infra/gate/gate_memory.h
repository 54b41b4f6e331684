// The gate's state in a file that all processes on one store map into memory, under a mutex that survives
// the death of its holder. The last of them puts it into the store and the file away.
#pragma once

#include <pthread.h>

#include <array>
#include <memory>
#include <string>

#include "app/port/gate_ledger.h"
#include "base/clock.h"
#include "base/result.h"
#include "domain/gate/gate_cell.h"

namespace patra::infra::gate {

inline constexpr std::size_t kGateCells = 256;

// How a gate file begins, whatever its version: by this it is told from a file of somebody else.
struct GateMark {
  std::uint64_t magic = 0;
  std::uint64_t layout = 0;
  std::uint64_t boot = 0;  // the machine's start that the times count from
  std::int64_t epoch = 0;  // as in the store
};

// The gate's own clock: it goes on where it stopped when a state is taken up again after the machine's start.
struct GateClock {
  Duration ahead{};  // of the time since the machine's start
  Instant zero{};    // when it showed zero, by the calendar
};

// What lies in the file. A process that dies while it changes cells leaves them marked as busy. The file ends after the
// cells that are made.
struct GateMemory {
  GateMark mark;
  GateClock clock;
  Duration lost_at;  // everything sent before is unknown; kLongAgo: nothing was
  std::uint64_t recoveries;
  pthread_mutex_t mutex;
  std::array<std::int32_t, domain::kScopes> busy;  // indexes of cells; -1: none
  std::uint64_t made;
  std::array<std::uint64_t, kGateCells> hashes;  // of the cells' keys; 0: free
  std::array<domain::GateCell, kGateCells> cells;
};

// What the file holds before its cells.
inline constexpr std::size_t kGateHeadBytes = sizeof(GateMemory) - sizeof(GateMemory::cells);

inline constexpr std::uint64_t kGateLayout = domain::kGateCellLayout << 32 | sizeof(GateMemory);

struct RestedState;

// The file, mapped. Thread-safe.
class GateFile {
 public:
  // Makes the file where it is missing, with what the store keeps of the gate, and starts over where it is of another
  // store or was cut short. Fails while others use a file that would have to be started over, and where the name leads
  // to anything that is not a gate file: that is somebody else's, and left alone.
  static Result<std::unique_ptr<GateFile>> Open(const std::string& path, app::GateLedger& ledger,
                                                const Clock& clock);
  ~GateFile();
  GateFile(const GateFile&) = delete;
  GateFile& operator=(const GateFile&) = delete;

  // The last one who uses it puts what it holds into the store, and the file away. Where that fails, it stays.
  Result<void> PutAway(app::GateLedger& ledger, const Clock& clock);

  // Whether the name leads to another file by now, or to none.
  bool IsReplaced() const;

  // How far the gate's time is ahead of the machine's.
  Duration ahead() const { return ahead_; }

  // By what leases of this process are known, and whether the process that has such a number lives.
  domain::LeaseOwner owner() const { return owner_; }
  bool IsAlive(domain::LeaseOwner owner) const;

  // The state, locked. Cells that are about to change are marked, and no longer when it goes out of scope.
  class Locked {
   public:
    Locked(Locked&& other) noexcept
        : file_(other.file_), memory_(std::exchange(other.memory_, nullptr)) {}
    Locked& operator=(Locked&&) = delete;
    ~Locked();

    GateMemory& operator*() const { return *memory_; }
    GateMemory* operator->() const { return memory_; }

    // The key's cell, ready to be changed; nullptr where there is none. At most kScopes per lock.
    domain::GateCell* Find(std::string_view key) const;

    // The same, made for this if need be; kUnavailable where all are in use.
    Result<domain::GateCell*> FindOrClaim(std::string_view key, const domain::GateRules& rules,
                                          Duration now, bool& is_new) const;

   private:
    friend class GateFile;
    explicit Locked(GateFile& file) : file_(&file), memory_(file.memory_) {}
    void Mark(std::size_t index) const;
    Result<std::size_t> FindRoom(Duration now) const;

    GateFile* file_;
    GateMemory* memory_;
  };
  Result<Locked> Lock(Duration now);

 private:
  GateFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  // Nothing where the one who used it last has just put it away.
  static Result<std::unique_ptr<GateFile>> TryOpen(const std::string& path, app::GateLedger& ledger,
                                                   const Clock& clock);
  // How the file begins, empty where it is new; an error where it is no gate file.
  Result<GateMark> ReadMark();
  Result<void> Map();
  Result<void> TakeNumber(std::uint64_t seed);
  Result<void> CheckWhole() const;
  bool IsWhole() const;
  Result<void> TakeUp(const GateMark& mark, app::GateLedger& ledger, const Clock& clock);
  Result<void> StartOver(const RestedState& state, const GateMark& mark);
  Result<std::string> ReadAll() const;
  Result<void> MakeRoom(std::uint64_t cells);

  const std::string path_;
  const int file_;
  GateMemory* memory_ = nullptr;
  domain::LeaseOwner owner_ = 0;
  Duration ahead_{};
};

}  // namespace patra::infra::gate
