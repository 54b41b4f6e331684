#include "app/port/transport.h"

namespace patra::app {

const std::string* HttpResponse::Header(std::string_view name) const {
  return domain::FindHeader(headers, name);
}

}  // namespace patra::app
