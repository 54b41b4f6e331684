#include "base/random.h"

#include <bit>

#include "base/result.h"

namespace patra {

std::uint64_t Random::Below(std::uint64_t bound) {
  PATRA_ASSERT(bound > 0);
  // Draws below this threshold would make the first few remainders more likely than the others.
  const std::uint64_t threshold = (0 - bound) % bound;
  while (true) {
    const auto drawn = Next();
    if (drawn >= threshold) return drawn % bound;
  }
}

std::int64_t Random::Between(std::int64_t low, std::int64_t high) {
  PATRA_ASSERT(low <= high);
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const auto offset = span == UINT64_MAX ? Next() : Below(span + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::Fraction() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

bool Random::Chance(double probability) { return Fraction() < probability; }

SeededRandom::SeededRandom(std::uint64_t seed) : seed_(seed) {
  for (auto& word : state_) {
    seed += 0x9E3779B97F4A7C15u;
    word = MixBits(seed);
  }
}

SeededRandom SeededRandom::Fork(std::string_view name) const {
  return SeededRandom(MixBits(seed_ ^ HashText(name)));
}

std::uint64_t SeededRandom::Next() {
  auto& [a, b, c, d] = state_;
  const auto result = std::rotl(b * 5, 7) * 9;
  const auto shifted = b << 17;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= shifted;
  d = std::rotl(d, 45);
  return result;
}

std::uint64_t MixBits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

std::uint64_t HashText(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return MixBits(hash);
}

}  // namespace patra
