#include "boot/look_over.h"

#include "app/checkup/checkup.h"
#include "boot/configuration.h"
#include "boot/open_gate.h"
#include "boot/open_store.h"
#include "boot/sources_folder.h"
#include "infra/machine/system_machine.h"
#include "infra/sqlite/fold_log.h"

namespace patra::boot {
namespace {

void AddError(const char* topic, const Error& error, app::CheckupLines& lines) {
  lines.push_back({.level = app::CheckupLine::Level::kWrong,
                   .topic = topic,
                   .said = error.message,
                   .advice = error.hint});
}

void LookAtStore(const StoreAddress& address, const std::string& gate_url,
                 app::CheckupLines& lines) {
  app::CheckStore(*CareFor(address), address.name(), lines);
  SystemClock clock;
  const auto store = OpenStore(address, StoreUse::kLook, clock);
  if (!store) return AddError("store", store.error(), lines);
  app::CheckLedger(**store, clock, lines);
  const auto gate = OpenGate(gate_url, address, **store, (*store)->clock());
  if (!gate) return AddError("gate", gate.error(), lines);
  app::CheckGate(**gate, CountsOfGate(gate_url, address), address.server().has_value(), lines);
}

void LookAtCertificate(const std::string& configuration, app::Machine& machine,
                       app::CheckupLines& lines) {
  const auto read = ReadConfiguration(configuration);
  if (!read) return AddError("configuration", read.error(), lines);
  for (const auto& problem : read->problems) AddError("configuration", problem, lines);
  const auto& service = read->settings.service;
  if (service.certificate.empty()) return;
  app::CheckCertificate(machine, service.certificate, service.key, SystemClock().Now(), lines);
}

}  // namespace

app::CheckupLines LookOver(const adapter::cli::CheckupRequest& asked, app::SourceLibrary& library) {
  const auto& request = asked.store;
  app::CheckupLines lines;
  infra::machine::SystemMachine machine;
  const auto address = StoreAddress::Parse(request.database);
  if (!address) AddError("store", address.error(), lines);
  const bool is_file = address && !address->server();
  app::CheckMachine(machine, is_file ? std::optional(address->file()) : std::nullopt, lines);
  if (const auto orphaned =
          is_file ? infra::sqlite::RefuseOrphanedLog(address->file()) : Result<void>();
      !orphaned) {
    AddError("store", orphaned.error(), lines);
  } else if (address && !address->Exists()) {
    lines.push_back({.level = app::CheckupLine::Level::kOk,
                     .topic = "store",
                     .said = address->name() + " is not there yet: the first harvest makes it"});
  } else if (address) {
    LookAtStore(*address, request.gate, lines);
  }
  LookAtCertificate(asked.configuration, machine, lines);
  app::CheckSources(library, SourcesFolder(request.sources_folder), lines);
  return lines;
}

}  // namespace patra::boot
