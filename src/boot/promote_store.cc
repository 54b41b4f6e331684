#include "boot/promote_store.h"

#include <filesystem>

#include "base/clock.h"
#include "boot/open_gate.h"
#include "boot/open_store.h"
#include "infra/sql/promotion.h"

namespace patra::boot {
namespace {

// After that a person does better: the same command goes on.
constexpr Duration kOutageMax = std::chrono::minutes(1);

// What the rate gate knows goes with the store, where it is not in use: whoever leaves its file last puts it into the store. Where
// that fails, the gate of the target takes all windows for full.
void PutGateAway(const StoreAddress& address, Clock& clock) {
  std::error_code unknown;
  if (!std::filesystem::exists(address.gate_file(), unknown)) return;
  const auto store = OpenStore(address, StoreUse::kChange, clock);
  if (store) (void)OpenGate("", address, **store, clock).has_value();
}

}  // namespace

Result<contract::StorePromotion> PromoteStore(
    const adapter::cli::PromotionRequest& request,
    const adapter::cli::Services::OnPromotion& on_progress) {
  const auto from = PATRA_TRY(StoreAddress::OfExisting(request.database));
  const auto to = PATRA_TRY(StoreAddress::Parse(request.target, "PATRA_TARGET_PASSWORD"));
  SystemClock clock;
  PutGateAway(from, clock);
  const auto source = PATRA_TRY(OpenTables(from, clock, kOutageMax));
  const auto target = PATRA_TRY(OpenTables(to, clock, kOutageMax));
  return infra::sql::Promote(
      {*source.database, source.clock, from.url()}, {*target.database, target.clock, to.url()},
      [&](infra::sql::PromotionStage stage, const std::string& table, std::int64_t rows) {
        on_progress(stage == infra::sql::PromotionStage::kCopy ? "copying" : "comparing", table,
                    rows);
      });
}

Result<std::string> GiveUpPromotion(const std::string& database) {
  const auto address = PATRA_TRY(StoreAddress::OfExisting(database));
  SystemClock clock;
  const auto source = PATRA_TRY(OpenTables(address, clock, kOutageMax));
  return infra::sql::GiveUpPromotion({*source.database, source.clock, address.url()});
}

}  // namespace patra::boot
