#pragma once

#include <map>
#include <mutex>
#include <string>

#include "app/port/credential_book.h"
#include "base/clock.h"

namespace patra::infra::gate {

// Where the books of a user are: in `runtime_folder` (XDG_RUNTIME_DIR) where there is one, else in a folder of the user's own
// among the temporary files.
std::string CredentialFolder(const std::string& runtime_folder);

// The folder, where there is none yet. Refused where it is not the user's alone.
Result<void> MakeCredentialFolder(const std::string& folder);

// A folder with one small file for each store and credential. It belongs to the user alone, so that users do not see each
// other's stores; a folder that somebody else may write to, and links, are refused.
class CredentialBook final : public app::CredentialBook {
 public:
  // `store` is the file of the store, or its address on a server. Nothing is touched before something is noted.
  CredentialBook(std::string folder, const std::string& store, const Clock& clock);

  Result<void> Note(const std::string& credential, const std::string& host,
                    std::string_view secret) override;
  Result<std::vector<app::SharedCredential>> Shared() override;

 private:
  const std::string folder_;
  const std::string store_;  // an address, or the absolute path of a file
  const Clock& clock_;
  std::mutex mutex_;                         // guards noted_at_
  std::map<std::string, Instant> noted_at_;  // by credential, in this process
};

}  // namespace patra::infra::gate
