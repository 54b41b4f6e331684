#include "boot/engine_request.h"

#include "boot/configuration.h"
#include "boot/credential_folder.h"

namespace patra::boot {
namespace {

app::LogLevel LevelOf(const std::string& name) {
  using enum app::LogLevel;
  if (name == "debug") return kDebug;
  if (name == "info") return kInfo;
  return name == "error" ? kError : kWarn;
}

}  // namespace

Result<EngineOptions> OptionsOf(const adapter::cli::EngineRequest& request,
                                app::DefinitionFiles& files) {
  EngineOptions options{.database = request.database,
                        .allow_loopback = request.allow_loopback,
                        .networks = request.networks,
                        .log_level = LevelOf(request.log_level),
                        .credential_folder = UsersCredentialFolder()};
  PATRA_TRY(Configure(request.configuration, files, options));
  return options;
}

}  // namespace patra::boot
