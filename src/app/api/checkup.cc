#include "app/api/checkup.h"

namespace patra::app {

std::string_view Name(CheckupLine::Level level) {
  using enum CheckupLine::Level;
  switch (level) {
    case kOk:
      return "ok";
    case kWarn:
      return "warn";
    case kWrong:
      break;
  }
  return "wrong";
}

}  // namespace patra::app
