// The description of the API (OpenAPI 3.1), made of the table that answers.
#pragma once

#include <string>

namespace patra::adapter::rest {

std::string OpenApiText();

}  // namespace patra::adapter::rest
