// A way to a server that loses answers: what was asked arrives, and nobody hears of it.
#pragma once

#include <atomic>
#include <thread>

namespace patra::testing {

class TcpProxy {
 public:
  explicit TcpProxy(int target_port);
  ~TcpProxy();
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  int port() const { return port_; }
  // The next answer that is longer than a greeting's is swallowed, and its connection closed.
  void LoseAnswers(int count) { lose_ = count; }
  int lost() const { return lost_; }

 private:
  void Accept();
  void Carry(int client);

  const int target_port_;
  int port_ = 0;
  int listener_ = -1;
  std::atomic<int> lose_ = 0;
  std::atomic<int> lost_ = 0;
  std::atomic<bool> stops_ = false;
  std::thread accepting_;
};

}  // namespace patra::testing
