#include "tests/infra/sqlite/fault_vfs.h"

#include <sqlite3.h>

#include <atomic>
#include <cstring>

namespace patra::testing {
namespace {

std::atomic<int> calls_left{0};  // 0: not armed
std::atomic<bool> fails_forever{false};
std::atomic<bool> has_fired{false};
std::atomic<FaultVfs::Kind> kind_of_fault{FaultVfs::Kind::kIoError};

bool MustFail() {
  if (fails_forever && has_fired) return true;
  if (calls_left == 0 || --calls_left > 0) return false;
  has_fired = true;
  return true;
}

sqlite3_vfs* real_vfs = nullptr;

// Our file is the real one with its table of methods replaced by ours, which call the real one's.
struct FaultyFile {
  sqlite3_file base;
  sqlite3_file* real;
};

sqlite3_file* Real(sqlite3_file* file) { return reinterpret_cast<FaultyFile*>(file)->real; }
int WriteFault() {
  return kind_of_fault == FaultVfs::Kind::kDiskFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int Close(sqlite3_file* file) {
  const int code = Real(file)->pMethods->xClose(Real(file));
  sqlite3_free(Real(file));
  return code;
}
int Read(sqlite3_file* file, void* target, int amount, sqlite3_int64 offset) {
  if (kind_of_fault == FaultVfs::Kind::kIoError && MustFail()) return SQLITE_IOERR_READ;
  return Real(file)->pMethods->xRead(Real(file), target, amount, offset);
}
int Write(sqlite3_file* file, const void* source, int amount, sqlite3_int64 offset) {
  if (MustFail()) return WriteFault();
  return Real(file)->pMethods->xWrite(Real(file), source, amount, offset);
}
int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (MustFail())
    return kind_of_fault == FaultVfs::Kind::kDiskFull ? SQLITE_FULL : SQLITE_IOERR_TRUNCATE;
  return Real(file)->pMethods->xTruncate(Real(file), size);
}
int Sync(sqlite3_file* file, int flags) {
  if (MustFail())
    return kind_of_fault == FaultVfs::Kind::kDiskFull ? SQLITE_FULL : SQLITE_IOERR_FSYNC;
  return Real(file)->pMethods->xSync(Real(file), flags);
}
int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Real(file)->pMethods->xFileSize(Real(file), size);
}
int Lock(sqlite3_file* file, int level) { return Real(file)->pMethods->xLock(Real(file), level); }
int Unlock(sqlite3_file* file, int level) {
  return Real(file)->pMethods->xUnlock(Real(file), level);
}
int CheckReservedLock(sqlite3_file* file, int* out) {
  return Real(file)->pMethods->xCheckReservedLock(Real(file), out);
}
int FileControl(sqlite3_file* file, int op, void* argument) {
  return Real(file)->pMethods->xFileControl(Real(file), op, argument);
}
int SectorSize(sqlite3_file* file) { return Real(file)->pMethods->xSectorSize(Real(file)); }
int DeviceCharacteristics(sqlite3_file* file) {
  return Real(file)->pMethods->xDeviceCharacteristics(Real(file));
}
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return Real(file)->pMethods->xShmMap(Real(file), page, size, extend, out);
}
int ShmLock(sqlite3_file* file, int offset, int n, int flags) {
  return Real(file)->pMethods->xShmLock(Real(file), offset, n, flags);
}
void ShmBarrier(sqlite3_file* file) { Real(file)->pMethods->xShmBarrier(Real(file)); }
int ShmUnmap(sqlite3_file* file, int remove) {
  return Real(file)->pMethods->xShmUnmap(Real(file), remove);
}

const sqlite3_io_methods kMethods{2,
                                  Close,
                                  Read,
                                  Write,
                                  Truncate,
                                  Sync,
                                  FileSize,
                                  Lock,
                                  Unlock,
                                  CheckReservedLock,
                                  FileControl,
                                  SectorSize,
                                  DeviceCharacteristics,
                                  ShmMap,
                                  ShmLock,
                                  ShmBarrier,
                                  ShmUnmap,
                                  nullptr,
                                  nullptr};

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* faulty = reinterpret_cast<FaultyFile*>(file);
  faulty->base.pMethods = nullptr;
  faulty->real = static_cast<sqlite3_file*>(sqlite3_malloc(real_vfs->szOsFile));
  std::memset(faulty->real, 0, static_cast<std::size_t>(real_vfs->szOsFile));
  const int code = real_vfs->xOpen(real_vfs, name, faulty->real, flags, out_flags);
  if (code != SQLITE_OK) {
    sqlite3_free(faulty->real);
    return code;
  }
  faulty->base.pMethods = &kMethods;
  return SQLITE_OK;
}

sqlite3_vfs faulty_vfs;

}  // namespace

FaultVfs::FaultVfs() {
  real_vfs = sqlite3_vfs_find(nullptr);
  faulty_vfs = *real_vfs;
  faulty_vfs.pNext = nullptr;
  faulty_vfs.zName = "patra-faults";
  faulty_vfs.szOsFile = sizeof(FaultyFile);
  faulty_vfs.xOpen = Open;
  sqlite3_vfs_register(&faulty_vfs, 1);
  Disarm();
}

FaultVfs::~FaultVfs() {
  Disarm();
  sqlite3_vfs_unregister(&faulty_vfs);
  sqlite3_vfs_register(real_vfs, 1);
}

void FaultVfs::FailAt(int n, Kind kind, bool forever) {
  kind_of_fault = kind;
  fails_forever = forever;
  has_fired = false;
  calls_left = n;
}

void FaultVfs::Disarm() {
  calls_left = 0;
  fails_forever = false;
}

bool FaultVfs::fired() const { return has_fired; }

}  // namespace patra::testing
