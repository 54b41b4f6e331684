// Results and errors. What the world may do to us (bad input, a provider that is down, a full disk)
// is a value of type Result<T>; absence is std::optional; a bug is PATRA_ASSERT.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace patra {

// Sorted by what the caller can do about it, not by what went wrong inside.
enum class ErrorCode {
  kInvalidInput,  // configuration, definition, expression or request is wrong: report it, do not
                  // retry
  kNotFound,      // nothing under that name: often an ordinary answer
  kConflict,      // someone else got there first: reload and decide again
  kDuplicate,     // there is such a row already: the store keeps one of a kind
  kLeaseLost,     // what this process held is another's by now: nothing of its last step was stored
  kUnavailable,   // the other side is down, slow or throttling: retry later
  kRefused,       // the other side does not accept who we are: a person must act
  kLimit,  // one of our own bounds was reached (size, depth, steps): split the work or raise it
  kExhausted,  // this machine has no more of something (memory, descriptors): wait, and blame nobody else
  kCorruption,  // stored or fetched data breaks its own rules: stop and show a person
  kCancelled,   // we were asked to stop: what is committed stays, the rest can be resumed
  kInternal,    // a library or the system failed in a way nobody foresaw: report it as a bug
};

std::string_view Name(ErrorCode code);

// Where in somebody's text the trouble is. Unknown parts are empty or zero.
struct Place {
  std::string file;
  int line = 0;         // 1-based
  int column = 0;       // 1-based, in bytes
  std::string pointer;  // JSON pointer (RFC 6901) into the document

  bool empty() const { return file.empty() && line == 0 && column == 0 && pointer.empty(); }

  // "sources/crossref.yaml:12:5 (/endpoints/works)"
  std::string Describe() const;

  friend bool operator==(const Place&, const Place&) = default;
};

// The 1-based line and column of a byte offset in `text`.
Place PlaceOfOffset(std::string_view text, std::size_t offset);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // what is wrong, in one sentence without a full stop
  Place place;          // where
  std::string hint;     // what to do about it

  Error At(Place where) &&;
  Error Hint(std::string what_to_do) &&;

  // Says what was being done when the error came: "reading page 3: connection reset".
  Error While(std::string_view doing) &&;

  // Everything in one line: place, message, hint.
  std::string Describe() const;

  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = std::expected<T, Error>;

// For `return Fail(ErrorCode::kNotFound, "no source named 'x'");`
std::unexpected<Error> Fail(ErrorCode code, std::string message, Place place = {},
                            std::string hint = {});

// The value of a result that is known to have one. Unlike operator*, it may be dropped: whoever tries a
// step for its effect alone does not want what it yields.
template <typename T>
T TakeValue(Result<T>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

[[noreturn]] void AssertionFailed(const char* condition, const char* file, int line);

}  // namespace patra

// A bug if false. Stays on in release builds: a wrong ledger is worse than a stopped process.
#define PATRA_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::patra::AssertionFailed(#condition, __FILE__, __LINE__))

#define PATRA_TRY_NAMED(tried, expression)                        \
  __extension__({                                                 \
    auto tried = (expression);                                    \
    if (!tried) return std::unexpected(std::move(tried).error()); \
    ::patra::TakeValue(std::move(tried));                         \
  })
#define PATRA_TRY_COUNTED(number, expression) PATRA_TRY_NAMED(patra_tried_##number, expression)
#define PATRA_TRY_EXPANDED(number, expression) PATRA_TRY_COUNTED(number, expression)

// Yields the value, or returns the error to the caller. The only macro that changes control flow.
// Not inside a braced initialiser after a member that owns something: GCC 12 forgets to destroy that member when the
// expression fails.
#define PATRA_TRY(expression) PATRA_TRY_EXPANDED(__COUNTER__, expression)
