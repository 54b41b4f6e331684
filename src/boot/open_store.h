// The one place that knows which databases a store can be in.
#pragma once

#include <memory>
#include <string>

#include "app/port/store.h"
#include "app/port/store_care.h"
#include "base/clock.h"

namespace patra::boot {

// Where a store is, as "sqlite:PATH" says.
class StoreAddress {
 public:
  static Result<StoreAddress> Parse(const std::string& database);

  // An error where there is no such store yet.
  static Result<StoreAddress> OfExisting(const std::string& database);

  bool Exists() const;
  std::string url() const { return "sqlite:" + file_; }
  const std::string& name() const { return file_; }  // for people
  std::string gate_file() const {
    return file_ + "-gate";
  }  // the rate gate's state lies beside the store

 private:
  explicit StoreAddress(std::string file) : file_(std::move(file)) {}

  std::string file_;
};

// One that is not there yet is made.
Result<std::unique_ptr<app::Store>> OpenStore(const StoreAddress& address, Clock& clock);
Result<std::unique_ptr<app::Store>> OpenStoreForLooking(const StoreAddress& address, Clock& clock);
std::unique_ptr<app::StoreCare> CareFor(const StoreAddress& address);

// The store of one command, which is there already, with a clock.
struct CommandStore {
  static Result<std::unique_ptr<CommandStore>> ForLooking(const std::string& database);
  static Result<std::unique_ptr<CommandStore>> ForChanges(const std::string& database);

  app::Store* operator->() { return store.get(); }

  SystemClock clock;
  std::unique_ptr<app::Store> store;
};

}  // namespace patra::boot
