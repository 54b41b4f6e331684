#include "boot/application.h"

#include "app/source/sources.h"
#include "base/clock.h"
#include "boot/configuration.h"
#include "boot/demo.h"
#include "boot/look_over.h"
#include "boot/open_desk.h"
#include "boot/open_engine.h"
#include "boot/open_store.h"
#include "boot/operator_name.h"
#include "boot/promote_store.h"
#include "boot/serve.h"
#include "boot/sources_folder.h"
#include "boot/stop_on_signals.h"

namespace patra::boot {

domain::Actor Application::actor() const {
  return {.name = OperatorName(), .way = domain::Way::kCommandLine};
}

Result<std::shared_ptr<app::Desk>> Application::OpenDesk(
    const adapter::cli::StoreRequest& request) {
  return boot::OpenDesk(request);
}

Result<std::shared_ptr<app::Operations>> Application::OpenEngine(
    const adapter::cli::EngineRequest& request) {
  return boot::OpenEngine(request);
}

std::unique_ptr<app::SourceLibrary> Application::OpenLibrary(const std::string& folder) {
  return std::make_unique<app::Sources>(files_, SourcesFolder(folder), &secrets_);
}

Result<app::SettingsReport> Application::Settings(const std::string& section,
                                                  const std::string& configuration) {
  auto read = PATRA_TRY(ReadConfiguration(configuration));
  auto settings = read.Show(section);
  return app::SettingsReport{.configuration = std::move(read.file),
                             .problems = std::move(read.problems),
                             .settings = std::move(settings)};
}

Result<adapter::cli::DatabaseReport> Application::MigrateDatabase(const std::string& database) {
  const auto address = PATRA_TRY(StoreAddress::Parse(database));
  const auto done = PATRA_TRY(CareFor(address)->Migrate(SystemClock().Now()));
  return adapter::cli::DatabaseReport{
      .database = address.name(), .schema_before = done.before, .schema_after = done.after};
}

Result<adapter::cli::DatabaseReport> Application::CheckDatabase(const std::string& database) {
  const auto address = PATRA_TRY(StoreAddress::OfExisting(database));
  const auto care = CareFor(address);
  auto found = PATRA_TRY(care->Check());
  adapter::cli::DatabaseReport report{.database = address.name(),
                                      .schema_before = found.schema,
                                      .schema_after = found.schema,
                                      .problems = std::move(found.problems)};
  for (auto& answer : PATRA_TRY(care->Ask(SystemClock().Now()))) {
    report.answers.push_back(
        {std::move(answer.question), std::move(answer.lines), answer.is_wrong});
  }
  return report;
}

Result<void> Application::BackUpDatabase(const std::string& database, const std::string& target) {
  return CareFor(PATRA_TRY(StoreAddress::Parse(database)))->BackUp(target);
}

Result<void> Application::RestoreDatabase(const std::string& backup, const std::string& database) {
  return CareFor(PATRA_TRY(StoreAddress::Parse(database)))->Restore(backup);
}

Result<contract::StorePromotion> Application::PromoteDatabase(
    const adapter::cli::PromotionRequest& request, const OnPromotion& on_progress) {
  return PromoteStore(request, on_progress);
}

Result<std::string> Application::GiveUpPromotion(const std::string& database) {
  return boot::GiveUpPromotion(database);
}

Result<adapter::cli::DemoReport> Application::Demo(const adapter::cli::DemoRequest& request,
                                                   const OnDemoProgress& on_progress) {
  return RunDemo(request, on_progress);
}

Result<adapter::cli::ServeReport> Application::Serve(const adapter::cli::ServeRequest& request,
                                                     const OnServing& on_serving) {
  return boot::Serve(request, on_serving);
}

app::CheckupLines Application::LookOver(const adapter::cli::CheckupRequest& request) {
  return boot::LookOver(request, *OpenLibrary(request.store.sources_folder));
}

std::optional<int> Application::StoppedBySignal() const { return StopOnSignals::Signal(); }

}  // namespace patra::boot
