// How values look in tables and lines for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adapter/cli/console.h"
#include "base/time.h"
#include "contract/facts.h"

namespace patra::adapter::cli {

std::string When(const std::optional<Instant>& time);  // to the second; "-" where there is none

// Roughly, in the two largest units: "3d 4h", "12m 5s".
std::string Roughly(Duration length);

// On one line, with what to type for the steps in it, cut to `bytes_max`.
std::string Short(const std::string& text, std::size_t bytes_max = 60);

// How a person ends the wait, where it is one that the provider asked for; else empty.
std::string EndsCoolDown(std::string_view waits_for);

// "512 B", "1.5 GB".
std::string BytesCell(std::int64_t bytes);

// A count that stopped at contract::kCountedAtMost says so.
std::string Counted(std::int64_t count);

// "1 slice", "2,000 slices".
std::string Several(std::int64_t count, std::string_view noun, std::string_view ending = "s");

// One line per fact: "window from   2026-01-01T00:00:00Z". What is missing is left out.
std::string Lines(const contract::Facts& facts);

// "  window      [2026-01-01T00:00:00Z, …)": what a summary says, line by line.
class NamedLines {
 public:
  explicit NamedLines(const Console& console) : console_(console) {}
  void Add(std::string_view name, const std::string& text) const;

 private:
  const Console& console_;
};

// One JSON object on a line of its own.
void PrintJsonLine(const Console& console, const Value& value);
// The same of what providers wrote: nothing in it is taken for a step.
void PrintRecordLine(const Console& console, const Value& value);

// Of a command that was told to stop, by a signal or otherwise.
int StopCode(const std::optional<int>& signal);

// Prints the error, if there is one, and gives the exit code.
int PrintError(const Console& console, const Error& error);
int PrintError(const Console& console, const Result<int>& outcome);

}  // namespace patra::adapter::cli
