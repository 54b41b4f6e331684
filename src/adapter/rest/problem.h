// Errors as answers (RFC 9457), and the one place that says which status each has.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "adapter/rest/http_message.h"
#include "base/result.h"

namespace patra::adapter::rest {

int StatusOf(ErrorCode code);
std::string_view TitleOf(int status);
std::string_view TokenOf(ErrorCode code);  // "NOT_FOUND"

HttpAnswer ProblemOf(const Error& error);
// Of what HTTP itself is about, where no error of ours has a status of its own.
HttpAnswer ProblemWith(int status, const Error& error);
HttpAnswer TooSoon(std::chrono::seconds wait, const std::string& why);

}  // namespace patra::adapter::rest
