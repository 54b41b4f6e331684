// Three nodes of a Galera cluster behind one writer's endpoint. What loses the server loses the node that is the writer: the
// endpoint moves to the next one at once.
#pragma once

#include "tests/infra/mysql/cutting_proxy.h"
#include "tests/mariadb_server.h"

namespace patra::testing {

class GaleraCluster final : public MariadbServer {
 public:
  static Result<std::unique_ptr<MariadbServer>> Start() {
    auto cluster = std::unique_ptr<GaleraCluster>(new GaleraCluster);
    PATRA_TRY(Tell("test_galera", {"start", cluster->home()}));
    cluster->endpoint_ = std::make_unique<CuttingProxy>(cluster->PortOf(0));
    return cluster;
  }
  ~GaleraCluster() override { (void)Tell("test_galera", {"stop", home()}); }

  unsigned port() const override { return endpoint_->port(); }

  void Kill() override { LoseWriter(SIGKILL); }
  void ShutDown() override { LoseWriter(SIGTERM); }
  // It joins the others, and gets from them what it lacks.
  Result<void> StartAgain() override {
    return Tell("test_galera", {"again", home(), fmt::to_string(lost_)});
  }

  // Whoever paused the writer does not know, nor does the endpoint.
  void Pause() override { kill(Pid(), SIGSTOP); }
  void Continue() override { kill(Pid(), SIGCONT); }

 private:
  static constexpr int kNodes = 3;

  unsigned PortOf(int node) const {
    return static_cast<unsigned>(FileOf(fmt::format("{}.port", node)).value());
  }
  pid_t Pid() const override { return FileOf(fmt::format("{}.pid", writer_)).value(); }

  void LoseWriter(int signal) {
    lost_ = writer_;
    const auto pid = Pid();
    writer_ = (writer_ + 1) % kNodes;
    End(pid, signal);
    endpoint_->MoveTo(PortOf(writer_));
  }

  std::unique_ptr<CuttingProxy> endpoint_;
  int writer_ = 0;
  int lost_ = 0;
};

}  // namespace patra::testing
