#include "app/desk/desk_ports.h"
#include "app/retention/archive_old.h"
#include "base/process_name.h"

namespace patra::app {
namespace {

class StoreRetention final : public Retention {
 public:
  explicit StoreRetention(const DeskPorts& ports)
      : policy_(ports.retention),
        clock_(ports.clock),
        archive_old_({.store = ports.store.archive(),
                      .files = ports.store.archive_files(),
                      .duties = ports.store.duties(),
                      .ids = ports.store.ids(),
                      .clock = ports.clock,
                      .log = no_log_,
                      .stop = ports.stop == nullptr ? nobody_asks_ : *ports.stop},
                     NewProcessName(ports.clock)) {}

  Result<ArchiveReport> Archive(const ArchiveRequest& request,
                                const OnArchived& on_archived) override {
    const auto age = request.older_than.value_or(policy_.archive_after);
    return archive_old_.Run({.before = clock_.Now() - age}, on_archived);
  }

 private:
  const domain::RetentionPolicy policy_;
  Clock& clock_;
  NoLog no_log_;  // what matters is in the reports
  StopRequest nobody_asks_;
  ArchiveOld archive_old_;
};

}  // namespace

std::unique_ptr<Retention> MakeRetention(const DeskPorts& ports) {
  return std::make_unique<StoreRetention>(ports);
}

}  // namespace patra::app
