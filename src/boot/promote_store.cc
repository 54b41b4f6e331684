#include "boot/promote_store.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "boot/open_gate.h"
#include "boot/open_store.h"
#include "infra/sql/promotion.h"

namespace patra::boot {
namespace {

constexpr std::string_view kTargetPassword = "PATRA_TARGET_PASSWORD";
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

// As the other store names it, wherever the next command is typed.
std::string NameOf(const StoreAddress& address) {
  if (address.server()) return address.url();
  std::error_code unknown;
  const auto file = std::filesystem::weakly_canonical(
      std::filesystem::absolute(address.file(), unknown), unknown);
  return unknown ? address.url() : "sqlite:" + file.string();
}

// Whoever is refused without one looks for where it is to be put.
Error WithPassword(Error error, const StoreAddress& to) {
  const bool lacks_password = to.server() && to.server()->password.empty();
  if (error.code != ErrorCode::kRefused || !lacks_password) return error;
  error.hint = fmt::format(
      "its password is that of the environment, {} or {}_FILE, and neither is "
      "set; {}",
      kTargetPassword, kTargetPassword, error.hint);
  return error;
}

}  // namespace

Result<contract::StorePromotion> PromoteStore(
    const adapter::cli::PromotionRequest& request,
    const adapter::cli::Services::OnPromotion& on_progress) {
  const auto from = PATRA_TRY(StoreAddress::OfExisting(request.database));
  const auto to = PATRA_TRY(StoreAddress::Parse(request.target, std::string(kTargetPassword)));
  SystemClock clock;
  PutGateAway(from, clock);
  const auto source = PATRA_TRY(OpenTables(from, clock, kOutageMax));
  auto opened = OpenTables(to, clock, kOutageMax);
  if (!opened) return std::unexpected(WithPassword(std::move(opened).error(), to));
  const auto target = *std::move(opened);
  return infra::sql::Promote(
      {*source.database, source.clock, NameOf(from)}, {*target.database, target.clock, NameOf(to)},
      [&](infra::sql::PromotionStage stage, const std::string& table, std::int64_t rows) {
        on_progress(stage == infra::sql::PromotionStage::kCopy ? "copying" : "comparing", table,
                    rows);
      });
}

Result<std::string> GiveUpPromotion(const std::string& database) {
  const auto address = PATRA_TRY(StoreAddress::OfExisting(database));
  SystemClock clock;
  const auto source = PATRA_TRY(OpenTables(address, clock, kOutageMax));
  return infra::sql::GiveUpPromotion({*source.database, source.clock, NameOf(address)});
}

}  // namespace patra::boot
