// The records of each source as a table of their own, for people who speak SQL.
#pragma once

#include "base/result.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

class ItemViews {
 public:
  virtual ~ItemViews() = default;

  // Makes the view of the snapshot's endpoint what its mapping says; nothing happens where it is that
  // already. Its name.
  virtual Result<std::string> RefreshItemView(const domain::SpecSnapshot& spec) = 0;
};

}  // namespace patra::app
