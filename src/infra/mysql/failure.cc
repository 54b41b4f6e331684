#include "infra/mysql/failure.h"

#include <fmt/format.h>

namespace patra::infra::mysql {
namespace {

// The server's numbers (1000 to 1999, 3000 to 4999) and the client library's (2000 to 2999, 5000 and up), as its own
// headers name them; some of those names exist in one of the two products only.
enum Number : unsigned {
  kAccessDeniedToDatabase = 1044,
  kAccessDenied = 1045,
  kNoSuchDatabase = 1049,
  kServerShutsDown = 1053,
  kDuplicateKey = 1062,
  kTooManyConnections = 1040,
  kHostIsBlocked = 1129,
  kChangedMeanwhile = 1020,
  kDiskIsFull = 1021,
  kTableIsFull = 1114,
  kCommandDenied = 1142,
  kPacketTooLarge = 1153,
  kQueryInterrupted = 1317,
  kUnknownStatement = 1243,
  kNodeIsNotPrepared = 1047,  // a Galera node that is not part of the cluster answers nothing
  kCommitFailed = 1180,       // such as on a Galera node that lost the others meanwhile
  kLockWait = 1205,
  kDeadlock = 1213,
  kReadOnlyOption = 1290,
  kReadOnlyMode = 1836,
  kConnectionKilled = 1927,
  kTableChanged = 1412,  // while a snapshot of it was read
  kToBePreparedAgain = 1615,
  kNoWait = 3572,
  kCannotConnectLocally = 2002,
  kCannotConnect = 2003,
  kUnknownHost = 2005,
  kServerGone = 2006,
  kOutOfMemory = 2008,
  kTlsFailed = 2026,
  kServerLost = 2013,
  kServerLostWhile = 2055,
};

constexpr std::string_view kIsAway =
    "check that the server runs and can be reached; what was committed is there, the rest is done "
    "again";

}  // namespace

bool IsDuplicate(unsigned number) { return number == kDuplicateKey; }

Failure FailureFrom(unsigned number, std::string_view said, std::string_view doing) {
  const auto failure = [&](Fate fate, ErrorCode code, std::string_view hint) {
    return Failure{
        fate, Error{code, fmt::format("{}: {} ({})", doing, said, number), {}, std::string(hint)}};
  };
  switch (number) {
    case kDuplicateKey:
      return failure(Fate::kNone, ErrorCode::kDuplicate, "");
    case kDeadlock:
    case kLockWait:
    case kChangedMeanwhile:
    case kTableChanged:
    case kToBePreparedAgain:
    case kNoWait:
      return failure(Fate::kRunAgain, ErrorCode::kUnavailable,
                     "others hold what it needs; it is tried again");
    case kServerShutsDown:
    case kQueryInterrupted:
    case kNodeIsNotPrepared:
    case kCommitFailed:
    case kReadOnlyOption:
    case kReadOnlyMode:
    case kConnectionKilled:
    case kTooManyConnections:
    case kHostIsBlocked:
    case kUnknownStatement:
    case kCannotConnectLocally:
    case kCannotConnect:
    case kUnknownHost:
    case kServerGone:
    case kServerLost:
    case kServerLostWhile:
      return failure(Fate::kDisconnected, ErrorCode::kUnavailable, kIsAway);
    case kDiskIsFull:
    case kTableIsFull:
      return failure(Fate::kNone, ErrorCode::kUnavailable,
                     "the server's disk is full; free some space, nothing is lost");
    case kPacketTooLarge:
      return failure(Fate::kNone, ErrorCode::kInvalidInput,
                     "raise max_allowed_packet of the server (64M is a good start)");
    case kAccessDenied:
    case kAccessDeniedToDatabase:
    case kCommandDenied:
      return failure(Fate::kNone, ErrorCode::kRefused,
                     "check the user's name, its password and what it may do in this database");
    case kNoSuchDatabase:
      return failure(Fate::kNone, ErrorCode::kNotFound,
                     "make it first: CREATE DATABASE … CHARACTER SET utf8mb4");
    case kTlsFailed:
      return failure(Fate::kNone, ErrorCode::kInvalidInput,
                     "the server's certificate is not accepted, or it speaks no TLS");
    default:
      return failure(Fate::kNone, ErrorCode::kInternal, "");
  }
}

}  // namespace patra::infra::mysql
