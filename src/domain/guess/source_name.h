#pragma once

#include <string>

#include "base/url.h"

namespace patra::domain {

// A name for the source at an address, after its host: repository-example-org.
std::string SourceNameOf(const Url& url);

}  // namespace patra::domain
