#include "app/api/changes.h"

#include "app/desk/desk_ports.h"

namespace patra::app {
namespace {

constexpr std::string_view kEnd = "end";
constexpr int kNumberedAtOnce = 500;
// Who asks first after a long time does not wait for all of them.
constexpr int kRoundsMax = 20;

class StoreChanges final : public Changes {
 public:
  explicit StoreChanges(const DeskPorts& ports)
      : outbox_(ports.store.outbox()), queries_(ports.store.read().changes()) {}

  Result<contract::ChangePage> After(const std::string& after, const contract::ChangeFilter& filter,
                                     int changes_max) override {
    contract::ChangePlace place;
    if (!after.empty() && after != kEnd) place = PATRA_TRY(contract::ChangePlace::Parse(after));
    for (int round = 0; round < kRoundsMax || after == kEnd; ++round) {
      if (PATRA_TRY(outbox_.NumberChanges(kNumberedAtOnce)) < kNumberedAtOnce) break;
    }
    if (after == kEnd) return contract::ChangePage{.place = PATRA_TRY(queries_.End())};
    return queries_.After(place, filter, changes_max);
  }

 private:
  OutboxRepository& outbox_;
  contract::ChangeQueries& queries_;
};

}  // namespace

std::unique_ptr<Changes> MakeChanges(const DeskPorts& ports) {
  return std::make_unique<StoreChanges>(ports);
}

}  // namespace patra::app
