#include "sim/spliced_text.h"

namespace patra::sim {
namespace {

// A private-use character in UTF-8, so that JSON and XML writers pass it through as it is; the byte
// after it names the hole.
constexpr std::string_view kMarkStart = "\xEE\x80\x80";

}  // namespace

std::string Mark(Hole hole) {
  std::string mark(kMarkStart);
  mark += static_cast<char>('A' + static_cast<char>(hole));
  return mark;
}

SplicedText::SplicedText(std::string_view marked) {
  while (true) {
    const auto at = marked.find(kMarkStart);
    if (at == std::string_view::npos) break;
    const auto hole = static_cast<Hole>(marked[at + kMarkStart.size()] - 'A');
    pieces_.push_back({std::string(marked.substr(0, at)), hole});
    marked.remove_prefix(at + kMarkStart.size() + 1);
  }
  pieces_.push_back({std::string(marked), Hole::kCount});
}

void SplicedText::AppendTo(std::string& out, const HoleValues& values) const {
  for (const auto& piece : pieces_) {
    out += piece.text;
    if (piece.hole != Hole::kCount) out += values[piece.hole];
  }
}

}  // namespace patra::sim
