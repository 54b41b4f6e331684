// The one place that knows which databases a store can be in.
#pragma once

#include <memory>
#include <string>

#include "app/port/store.h"
#include "app/port/store_care.h"
#include "base/clock.h"

namespace patra::boot {

// Where a store is: "sqlite:PATH", or a path.
class StoreAddress {
 public:
  static Result<StoreAddress> Parse(const std::string& database);
  static StoreAddress OfFile(std::string file) { return StoreAddress(std::move(file)); }

  // An error where there is no such store yet.
  static Result<StoreAddress> OfExisting(const std::string& database);

  bool Exists() const;
  std::string url() const { return "sqlite:" + file_; }
  const std::string& name() const { return file_; }  // for people
  // The file itself, whatever link led to it: what lies beside a store is shared by all who use it.
  std::string file() const;
  std::string gate_file() const { return file() + "-gate"; }  // the rate gate's state

 private:
  explicit StoreAddress(std::string file) : file_(std::move(file)) {}

  std::string file_;
};

// Whoever only looks writes nothing; whoever changes something makes ids.
enum class StoreUse { kLook, kChange };

// One that is not there yet is made.
Result<std::unique_ptr<app::Store>> OpenStore(const StoreAddress& address, StoreUse use,
                                              Clock& clock);
std::unique_ptr<app::StoreCare> CareFor(const StoreAddress& address);

}  // namespace patra::boot
