// How fast the simulator delivers: page bodies per second over loopback from one connection, which
// one thread of it serves, and the time it takes to start. It must never be what a benchmark of
// patra measures, so the ratio to the 300 MB/s that are asked for is printed.
//
// The client discards what it receives inside the kernel, so that it does not become the
// bottleneck.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "sim/simulator.h"

namespace patra::sim {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kWantedPerSecond = 300e6;

int Connect(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) std::abort();
  return socket;
}

double CpuSeconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Sends one request and discards the answer; returns the body's size.
std::size_t Fetch(int socket, std::string_view request) {
  if (::send(socket, request.data(), request.size(), 0) < 0) std::abort();
  static std::string buffer(1u << 20, '\0');
  std::size_t got = 0;
  std::size_t head_end = std::string::npos;
  while (head_end == std::string::npos) {
    const auto more = ::recv(socket, buffer.data() + got, 4'096, 0);
    if (more <= 0) std::abort();
    got += static_cast<std::size_t>(more);
    head_end = std::string_view(buffer).substr(0, got).find("\r\n\r\n");
  }
  const std::string_view head(buffer.data(), head_end);
  std::size_t expected = 0;
  if (const auto at = head.find("content-length: "); at != std::string_view::npos) {
    expected = head_end + 4 + std::strtoul(head.data() + at + 16, nullptr, 10);
  } else {  // one chunk and its frame
    const auto size = std::strtoul(head.data() + head_end + 4, nullptr, 16);
    expected = buffer.find("\r\n", head_end + 4) + 2 + size + 7;
  }
  while (got < expected) {
    const auto more =
        ::recv(socket, buffer.data(), std::min(expected - got, buffer.size()), MSG_TRUNC);
    if (more <= 0) std::abort();
    got += static_cast<std::size_t>(more);
  }
  return expected - head_end - 4;
}

void MeasurePages(const Simulator& simulator, std::string_view name, const std::string& target) {
  const int socket = Connect(simulator.port());
  const auto request = fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target);
  Fetch(socket, request);
  const double cpu_before =
      CpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
  const auto start = std::chrono::steady_clock::now();
  std::size_t bytes = 0;
  int pages = 0;
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
    bytes += Fetch(socket, request);
    ++pages;
  }
  const double wall = Seconds(std::chrono::steady_clock::now() - start).count();
  const double cpu =
      CpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - cpu_before;
  const auto rate = static_cast<double>(bytes) / wall;
  const auto per_core = static_cast<double>(bytes) / cpu;
  fmt::print("{:<28}{:>9.0f} KB/page {:>8.0f} MB/s {:>8.0f} MB per core second, wanted x {:.1f}\n",
             name, static_cast<double>(bytes) / pages / 1e3, rate / 1e6, per_core / 1e6,
             per_core / kWantedPerSecond);
  ::close(socket);
}

int Run() {
  const auto start = std::chrono::steady_clock::now();
  auto simulator = Simulator::Start({.size = 20'000'000, .enforce_limits = false});
  if (!simulator) return 1;
  const auto started = Seconds(std::chrono::steady_clock::now() - start).count();
  fmt::print("start with 20 million items: {:.1f} ms, of the allowed 100 ms x {:.2f}\n",
             started * 1e3, started / 0.1);
  MeasurePages(**simulator, "rest json, 100 items", "/rest/page/items?page=700&size=100");
  MeasurePages(**simulator, "rest json, 1000 items", "/rest/page/items?page=70&size=1000");
  MeasurePages(**simulator, "rest xml, 1000 items",
               "/rest/page/items?page=70&size=1000&format=xml");
  MeasurePages(**simulator, "crossref, 1000 works", "/crossref/works?rows=1000&offset=5000");
  std::string ids = "10000000";
  for (int i = 1; i < 200; ++i) ids += fmt::format(",{}", 10'000'000 + i * 12);
  MeasurePages(**simulator, "pubmed efetch, 200 articles",
               "/pubmed/efetch.fcgi?db=pubmed&retmode=xml&id=" + ids);
  MeasurePages(**simulator, "oai, 100 records",
               "/oai/standard?verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01");

  const auto truth_start = std::chrono::steady_clock::now();
  auto walk = (*simulator)->Truth("rest", Instant{}, (*simulator)->WorldNow());
  int entries = 0;
  while (entries < 500'000 && (*walk)->Next()) ++entries;
  const auto truth = Seconds(std::chrono::steady_clock::now() - truth_start).count();
  fmt::print("truth: {:.0f} entries/s\n", entries / truth);
  return 0;
}

}  // namespace
}  // namespace patra::sim

int main() { return patra::sim::Run(); }
