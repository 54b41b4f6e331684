// Text with holes, made once and filled millions of times. A record of several kilobytes costs a
// few copies, which is what lets the simulator outrun every client.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace patra::sim {

// What varies from record to record of one template.
enum class Hole : char {
  kId,            // the provider's id, escaped for the format
  kSerial,        // the end of the title, which names item and version
  kUpdated,       // when this version came to be, as the provider writes it
  kUpdatedParts,  // the same, in a second form
  kUpdatedMillis,
  kCreated,
  kCreatedParts,
  kCreatedMillis,
  kDoi,
  kNumber,  // the item's number in plain digits
  kCount,
};

// The mark that stands for a hole while a template is written; no generated text contains it.
std::string Mark(Hole hole);

class HoleValues {
 public:
  std::string& operator[](Hole hole) { return values_[static_cast<std::size_t>(hole)]; }
  const std::string& operator[](Hole hole) const { return values_[static_cast<std::size_t>(hole)]; }

 private:
  std::array<std::string, static_cast<std::size_t>(Hole::kCount)> values_;
};

class SplicedText {
 public:
  SplicedText() = default;
  explicit SplicedText(std::string_view marked);

  void AppendTo(std::string& out, const HoleValues& values) const;

 private:
  struct Piece {
    std::string text;          // before the hole
    Hole hole = Hole::kCount;  // kCount: nothing follows
  };
  std::vector<Piece> pieces_;
};

}  // namespace patra::sim
