// What a record is about, before a provider puts it into its own format: scholarly works with the
// text that occurs in the wild (markup, many scripts, missing parts, lengths from nothing to
// pages).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace patra::sim {

struct StyledRun {
  std::string text;
  std::string_view tag;  // "", "i", "sub" or "sup"
};
using StyledText = std::vector<StyledRun>;

std::string PlainText(const StyledText& text);

struct Author {
  std::string family;
  std::string given;
  std::string affiliation;  // may be empty

  std::string FullName() const { return given + " " + family; }
};

struct Section {
  std::string label;  // may be empty
  StyledText text;
};

struct Work {
  StyledText title;
  std::vector<Author> authors;    // may be empty
  std::vector<Section> abstract;  // may be empty
  std::vector<std::string> subjects;
  std::string journal;  // empty for what appears in none
  std::string publisher;
  std::string issn;
  std::string kind;  // "article", "preprint", "dataset", "chapter"
  int year = 0;
  int month = 0;                        // 0: unknown
  int day = 0;                          // 0: unknown
  std::vector<std::string> references;  // unstructured citations
};

// The works of one world. An item's work depends only on the seed and the item.
class WorkPool {
 public:
  static constexpr std::size_t kWorks = 128;

  explicit WorkPool(std::uint64_t seed);

  const std::vector<Work>& all() const { return works_; }
  std::size_t IndexFor(std::int64_t item) const;

 private:
  std::uint64_t seed_;
  std::vector<Work> works_;
};

}  // namespace patra::sim
