// The one way from a command to a terminal. Whatever providers, files or stores put into a text, nothing in it is
// obeyed: control characters are spelled out. Inside JSON they mean the same then, so machines read what they read before.
// And the one place where the steps that texts name become what to type (steps.h).
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace patra::adapter::cli {

// Writes on to `target`, which has to outlive it. Not thread-safe.
class PlainStream final : private std::streambuf, public std::ostream {
 public:
  explicit PlainStream(std::ostream& target) : std::ostream(this), target_(target) {}
  ~PlainStream() override;
  PlainStream(const PlainStream&) = delete;
  PlainStream& operator=(const PlainStream&) = delete;

 private:
  std::streambuf::int_type overflow(std::streambuf::int_type byte) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;

  std::ostream& target_;
  std::string waiting_;  // the beginning of a step
  std::string typed_;    // the beginning of a character, or a carriage return
};

}  // namespace patra::adapter::cli
