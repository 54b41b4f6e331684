// What this machine does by itself: the yardstick beside every other number.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  using Clock = std::chrono::steady_clock;
  const auto microseconds = [](Clock::duration d) {
    return std::chrono::duration<double, std::micro>(d).count();
  };

  char path[] = "patra-speed-XXXXXX";
  const int file = mkstemp(path);
  unlink(path);
  std::vector<double> syncs;
  const std::vector<char> page(4096, 'x');
  for (int i = 0; i < 500; ++i) {
    if (pwrite(file, page.data(), page.size(), i * 4096) < 0) return 1;
    const auto start = Clock::now();
    fdatasync(file);
    syncs.push_back(microseconds(Clock::now() - start));
  }
  close(file);
  std::ranges::sort(syncs);

  std::vector<char> from(64 << 20, 'x'), to(64 << 20);
  const auto start = Clock::now();
  for (int i = 0; i < 8; ++i) std::memcpy(to.data(), from.data(), from.size());
  const auto seconds = microseconds(Clock::now() - start) / 1e6;

  std::printf("this machine: fdatasync P50 %.0f us, P95 %.0f us; memcpy %.1f GB/s (%d)\n",
              syncs[250], syncs[475], 8 * 0.0671 / seconds, to[7]);
  return 0;
}
