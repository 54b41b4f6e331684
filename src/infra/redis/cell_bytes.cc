#include "infra/redis/cell_bytes.h"

#include <array>
#include <bit>
#include <cstring>
#include <new>

namespace patra::infra::redis {
namespace {

using Bytes = std::array<char, sizeof(domain::GateCell)>;

struct Mark {
  std::uint64_t layout = domain::kGateCellLayout << 32 | sizeof(domain::GateCell);
};

// A stretch of bytes that differ from the empty cell's; they follow it.
struct Run {
  std::uint32_t at = 0;
  std::uint32_t size = 0;
};

// A gap that is shorter than the head of a run is cheaper to write than to skip.
constexpr std::size_t kGapMin = sizeof(Run);
constexpr std::size_t kBlock = 256;

const Bytes& EmptyBytes() {
  static const Bytes empty = [] {
    // What lies between members has no value of its own, so that it gets one here.
    alignas(domain::GateCell) Bytes bytes{};
    new (bytes.data()) domain::GateCell;
    return bytes;
  }();
  return empty;
}

template <typename T>
void Append(std::string& text, const T& object) {
  text.append(reinterpret_cast<const char*>(&object), sizeof(T));
}

template <typename T>
bool Take(std::string_view& text, T& object) {
  if (text.size() < sizeof(T)) return false;
  std::memcpy(&object, text.data(), sizeof(T));
  text.remove_prefix(sizeof(T));
  return true;
}

}  // namespace

std::string BytesOf(const domain::GateCell& cell) {
  const auto& empty = EmptyBytes();
  const auto* bytes = reinterpret_cast<const char*>(&cell);
  std::string text;
  Append(text, Mark{});
  std::size_t at = 0;
  while (at < empty.size()) {
    // Most of a cell is empty: in blocks that is seen soon.
    if (at + kBlock <= empty.size() && std::memcmp(bytes + at, empty.data() + at, kBlock) == 0) {
      at += kBlock;
      continue;
    }
    if (bytes[at] == empty[at]) {
      ++at;
      continue;
    }
    auto end = at + 1;
    for (auto i = end; i < empty.size() && i - end < kGapMin; ++i) {
      if (bytes[i] != empty[i]) end = i + 1;
    }
    Append(text, Run{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at)});
    text.append(bytes + at, end - at);
    at = end;
  }
  return text;
}

std::optional<domain::GateCell> CellIn(std::string_view bytes) {
  Mark mark;
  if (!Take(bytes, mark) || mark.layout != Mark{}.layout) return std::nullopt;
  auto whole = EmptyBytes();
  while (!bytes.empty()) {
    Run run;
    if (!Take(bytes, run) || run.size > bytes.size() || run.at > whole.size() ||
        run.size > whole.size() - run.at)
      return std::nullopt;
    std::memcpy(whole.data() + run.at, bytes.data(), run.size);
    bytes.remove_prefix(run.size);
  }
  const auto cell = std::bit_cast<domain::GateCell>(whole);
  if (cell.key.front() == '\0' || cell.key.back() != '\0') return std::nullopt;
  return cell;
}

}  // namespace patra::infra::redis
