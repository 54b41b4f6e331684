#include "boot/open_store.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/hash.h"
#include "boot/credential_folder.h"
#include "boot/optional_secret.h"
#include "domain/spec/scalars.h"
#include "infra/archive/archive_folder.h"
#include "infra/mysql/store.h"
#include "infra/mysql/store_care.h"
#include "infra/sql/sql_store.h"
#include "infra/sqlite/store.h"
#include "infra/sqlite/store_care.h"

namespace patra::boot {
namespace {

// "mysql://…", and not "./a:b.db".
bool HasScheme(std::string_view text) { return text.find(':') < text.find('/'); }

// SQLite keeps its log beside the name that it was opened by, so each name would have one of its own.
Result<void> RefuseFoldersAndSecondNames(const std::string& file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is a folder, and a store is a file", file), {},
                fmt::format("name one in it: {}/patra.db", file));
  }
  if (std::filesystem::hard_link_count(file, unknown) <= 1 || unknown) return {};
  return Fail(ErrorCode::kInvalidInput, fmt::format("{} has a second name (a hard link)", file), {},
              "its log stands beside one name only, and under the other records would be missing: "
              "remove the second name, or make a symbolic link of it");
}

// Beside each worker, who renews leases, heals, watches and looks after neglected lanes need one now and then.
std::size_t ConnectionsFor(int workers) { return static_cast<std::size_t>(workers) + 4; }

// None where no folder is known: whoever needs it says so.
std::unique_ptr<app::ArchiveFiles> ArchiveOf(const StoreAddress& address, const OpenedFor& whom) {
  auto folder = whom.archive_folder.empty() ? address.archive_folder() : whom.archive_folder;
  if (folder.empty()) return nullptr;
  return std::make_unique<infra::archive::ArchiveFolder>(std::move(folder));
}

Result<std::unique_ptr<app::Store>> OpenServer(const infra::mysql::Address& server, StoreUse use,
                                               Clock& clock, OpenedFor whom,
                                               std::unique_ptr<app::ArchiveFiles> archive) {
  auto database =
      PATRA_TRY(infra::mysql::Store::Open({.address = server,
                                           .migrate = use == StoreUse::kChange,
                                           .connections_max = ConnectionsFor(whom.workers),
                                           .on_outage = std::move(whom.on_outage),
                                           .wants_to_stop = std::move(whom.wants_to_stop),
                                           .slow = std::move(whom.slow)},
                                          clock));
  // Machines agree by the server's time. A world that is played has a time of its own.
  const bool is_played = dynamic_cast<const SystemClock*>(&clock) == nullptr;
  auto& by = is_played ? clock : database->server_clock();
  if (use == StoreUse::kLook)
    return infra::sql::SqlStore::OpenForLooking(std::move(database), by, whom.release,
                                                std::move(archive));
  return infra::sql::SqlStore::Open(std::move(database), by, whom.release, std::move(archive));
}

}  // namespace

Result<StoreAddress> StoreAddress::Parse(const std::string& database, const std::string& password) {
  const std::string_view prefix = "sqlite:";
  if (database.starts_with(prefix) && database.size() > prefix.size())
    return StoreAddress(database.substr(prefix.size()));
  if (!database.empty() && !HasScheme(database)) return StoreAddress(database);
  if (database.starts_with("mysql://")) {
    auto server = PATRA_TRY(infra::mysql::Address::Parse(database));
    // Never part of an address: others on the machine could read it there.
    server.password = PATRA_TRY(OptionalSecret(password));
    return StoreAddress(std::move(server));
  }
  return Fail(
      ErrorCode::kInvalidInput, fmt::format("'{}' names no store", database), {},
      "a store is a file: demo.db, or sqlite:demo.db (one whose name has a colon is ./a:b); or "
      "a database: mysql://USER@HOST/DATABASE");
}

Result<StoreAddress> StoreAddress::OfExisting(const std::string& database) {
  auto address = PATRA_TRY(Parse(database));
  if (address.Exists()) return address;
  return Fail(ErrorCode::kNotFound, fmt::format("there is no {}", address.name()), {},
              "a harvest makes it, and so does `patra db migrate`; --db names another");
}

// Whether a server has one is found out when it is opened.
bool StoreAddress::Exists() const { return server_ || std::filesystem::exists(file_); }

std::string StoreAddress::url() const { return server_ ? server_->Describe() : "sqlite:" + file_; }

std::string StoreAddress::name() const { return server_ ? server_->Describe() : file_; }

std::string StoreAddress::gate_file() const {
  if (!server_) return file() + "-gate";
  return fmt::format("{}/{}-gate", UsersCredentialFolder(), Sha256Hex(server_->Describe()));
}

std::string StoreAddress::archive_folder() const {
  return server_ ? std::string() : file() + "-archive";
}

std::string StoreAddress::file() const {
  std::error_code unresolved;
  if (!std::filesystem::is_symlink(file_, unresolved)) return file_;
  const auto file = std::filesystem::weakly_canonical(file_, unresolved);
  return unresolved ? file_ : file.string();
}

Result<std::unique_ptr<app::Store>> OpenStore(const StoreAddress& address, StoreUse use,
                                              Clock& clock, OpenedFor whom) {
  if (!whom.release.empty()) {
    if (const auto named = domain::CheckName(whom.release); !named)
      return std::unexpected(Error(named.error()).While("plan.release"));
  }
  auto archive = ArchiveOf(address, whom);
  if (address.server())
    return OpenServer(*address.server(), use, clock, std::move(whom), std::move(archive));
  PATRA_TRY(RefuseFoldersAndSecondNames(address.file()));
  auto database = PATRA_TRY(infra::sqlite::Store::Open(
      {.path = address.file(), .only_looks = use == StoreUse::kLook, .slow = std::move(whom.slow)},
      clock));
  if (use == StoreUse::kLook)
    return infra::sql::SqlStore::OpenForLooking(std::move(database), clock, whom.release,
                                                std::move(archive));
  return infra::sql::SqlStore::Open(std::move(database), clock, whom.release, std::move(archive));
}

Result<OpenedTables> OpenTables(const StoreAddress& address, Clock& clock, Duration outage_max) {
  if (address.server()) {
    auto database = PATRA_TRY(infra::mysql::Store::Open(
        {.address = *address.server(), .connections_max = 4, .outage_max = outage_max}, clock));
    auto& by = database->server_clock();
    return OpenedTables{std::move(database), by};
  }
  PATRA_TRY(RefuseFoldersAndSecondNames(address.file()));
  auto database = PATRA_TRY(infra::sqlite::Store::Open({.path = address.file()}, clock));
  return OpenedTables{std::move(database), clock};
}

std::unique_ptr<app::StoreCare> CareFor(const StoreAddress& address) {
  if (address.server()) return std::make_unique<infra::mysql::StoreCare>(*address.server());
  return std::make_unique<infra::sqlite::StoreCare>(address.file());
}

}  // namespace patra::boot
