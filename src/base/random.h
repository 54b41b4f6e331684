// Chance behind an interface, so that a run with the same seed takes the same path.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace patra {

class Random {
 public:
  virtual ~Random() = default;

  virtual std::uint64_t Next() = 0;  // 64 uniform bits

  // Uniform in [0, bound), without the bias of a plain remainder. REQUIRES: bound > 0
  std::uint64_t Below(std::uint64_t bound);

  // Uniform in [low, high]. REQUIRES: low <= high
  std::int64_t Between(std::int64_t low, std::int64_t high);

  double Fraction();                // uniform in [0, 1)
  bool Chance(double probability);  // true with that probability
};

// xoshiro256**: fast, the same on every platform, good enough for anything but secrets.
// Not thread-safe: one per thread, forked by name from a parent.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed);

  // An independent stream that depends only on this seed and the name, not on what was drawn so
  // far.
  SeededRandom Fork(std::string_view name) const;

  std::uint64_t Next() override;
  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

// A well-mixed 64-bit hash of a number (SplitMix64's finaliser), for seeds and hash buckets.
std::uint64_t MixBits(std::uint64_t value);

// FNV-1a, then mixed: a stable 64-bit hash of text for seeds and buckets. Not for anything that an
// adversary may choose.
std::uint64_t HashText(std::string_view text);

}  // namespace patra
