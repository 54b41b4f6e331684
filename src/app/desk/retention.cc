#include "app/desk/desk_ports.h"
#include "app/retention/archive_old.h"
#include "app/retention/collect_old.h"
#include "app/retention/forget_source.h"
#include "base/process_name.h"

namespace patra::app {
namespace {

RetentionPorts PortsOf(const DeskPorts& ports, Log& log, const StopRequest& nobody_asks) {
  return {.store = ports.store.archive(),
          .files = ports.store.archive_files(),
          .old_rows = ports.store.old_rows(),
          .forgetting = ports.store.forgetting(),
          .outbox = ports.store.outbox(),
          .duties = ports.store.duties(),
          .ids = ports.store.ids(),
          .clock = ports.clock,
          .log = log,
          .stop = ports.stop == nullptr ? nobody_asks : *ports.stop};
}

class StoreRetention final : public Retention {
 public:
  explicit StoreRetention(const DeskPorts& ports)
      : policy_(ports.retention),
        clock_(ports.clock),
        name_(NewProcessName(ports.clock)),
        archive_old_(PortsOf(ports, no_log_, nobody_asks_), name_),
        collect_old_(PortsOf(ports, no_log_, nobody_asks_), name_),
        forget_source_(PortsOf(ports, no_log_, nobody_asks_), name_) {}

  Result<ArchiveReport> Archive(const ArchiveRequest& request,
                                const OnArchived& on_archived) override {
    const auto age = request.older_than.value_or(policy_.archive_after);
    return archive_old_.Run({.before = clock_.Now() - age,
                             .vault_max = policy_.vault_max,
                             .vault_drops = policy_.vault_drops},
                            on_archived);
  }

  Result<CollectReport> Collect(const CollectRequest& request) override {
    return request.is_dry_run ? collect_old_.Count(policy_) : collect_old_.Run(policy_);
  }

  Result<ForgetReport> Forget(const std::string& source, const std::string& reason,
                              const domain::Actor& actor) override {
    return forget_source_.Run(source, {.actor = actor, .reason = reason});
  }

 private:
  const domain::RetentionPolicy policy_;
  Clock& clock_;
  NoLog no_log_;  // what matters is in the reports
  StopRequest nobody_asks_;
  const std::string name_;
  ArchiveOld archive_old_;
  CollectOld collect_old_;
  ForgetSource forget_source_;
};

}  // namespace

std::unique_ptr<Retention> MakeRetention(const DeskPorts& ports) {
  return std::make_unique<StoreRetention>(ports);
}

}  // namespace patra::app
