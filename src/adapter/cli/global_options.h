// What every command goes by: where the store and the definitions are, and what is logged. A flag counts more than the
// environment, and that more than the configuration.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "adapter/cli/services.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace patra::adapter::cli {

struct Globals {
  std::string configuration{};  // a file; empty: the usual one, where it exists
  std::string database{};
  std::string sources_folder{};  // empty: the usual one
  std::string gate{};            // the Redis that keeps the rate gate's state; empty: a file
  std::string release{};         // whose definitions go before those of all; empty: none's
  std::string registry{};        // another machine that definitions are read of; empty: the store
  std::string registry_token{};  // where its token is
  std::string log_level{};
  std::string log_format{};
  bool allow_loopback = false;
  std::vector<std::string> networks{};
};

class GlobalOptions {
 public:
  // `words` are the line's.
  static std::shared_ptr<GlobalOptions> AddTo(CLI::App& app, std::span<const std::string> words);

  // Once the line is understood. An error where the configuration has a problem.
  Result<Globals> Settle(Services& services) const;

  // Each setting of a section, as `Services::Settings` has it, and where it came from; problems of the configuration are part
  // of the report.
  Result<app::SettingsReport> Report(Services& services, const std::string& section = "") const;

  // Whether the line or the environment says which store is meant.
  bool names_database() const;

  // A file; empty: the usual one, where it exists.
  const std::string& configuration() const { return configuration_; }

 private:
  struct Known {
    std::string setting;  // its name in the configuration
    CLI::Option* option;
    std::string value;
  };

  std::string OriginOf(const Known& known) const;

  std::span<const std::string> words_;
  std::string configuration_;
  // Options write into them, so that they may not move.
  std::vector<std::unique_ptr<Known>> known_;
};

}  // namespace patra::adapter::cli
