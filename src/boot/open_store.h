// The store of one command that looks or decides, with a clock and ids.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/id.h"
#include "infra/sqlite/store.h"

namespace patra::boot {

struct OpenStore {
  // An error where there is no such store yet.
  static Result<std::unique_ptr<OpenStore>> At(const std::string& database);

  OpenStore();

  SystemClock clock;
  std::unique_ptr<infra::sqlite::Store> store;
  IdGenerator ids;
};

}  // namespace patra::boot
