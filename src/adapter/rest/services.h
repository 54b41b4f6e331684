// What the API is given: one store and one engine, open as long as the server runs, and used by several threads at once.
// boot provides it; what can be asked of them is in app/api.
#pragma once

#include <string>
#include <vector>

#include "app/api/desk.h"
#include "app/api/operations.h"
#include "app/api/source_library.h"
#include "base/clock.h"

namespace patra::adapter::rest {

class Services {
 public:
  virtual ~Services() = default;

  virtual app::Desk& desk() = 0;              // for those who look
  virtual app::Desk& desk_for_changes() = 0;  // may be the same
  // Asked by one thread at a time.
  virtual app::Operations& operations() = 0;
  // The same.
  virtual app::SourceLibrary& library() = 0;
  // By which the store goes.
  virtual const Clock& clock() const = 0;

  // What keeps this process from serving, for people; nothing where it is ready. Asked often.
  virtual std::vector<std::string> NotReady() = 0;
  // As Prometheus reads them; empty where none are kept.
  virtual std::string Metrics() = 0;
};

}  // namespace patra::adapter::rest
