#include "domain/word/lane.h"

#include <fmt/format.h>

namespace patra::domain {

std::string Lane::Key() const {
  return fmt::format("{}/{}/{}", provenance, endpoint, Code(operation));
}

}  // namespace patra::domain
