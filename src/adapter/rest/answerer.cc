#include "adapter/rest/answerer.h"

#include <algorithm>

#include "adapter/rest/json_text.h"
#include "adapter/rest/route.h"
#include "base/value.h"

namespace patra::adapter::rest {

HttpAnswer AliveAnswer() {
  return {.status = 200,
          .content_type = std::string(ContentTypeOf(AnswerKind::kJson)),
          .body = R"({"status":"alive"})"};
}

HttpAnswer ReadyAnswer(const std::vector<std::string>& reasons) {
  return {.status = reasons.empty() ? 200 : 503,
          .content_type = std::string(ContentTypeOf(AnswerKind::kJson)),
          .body = JsonOf(Value::Object{{"ready", reasons.empty()},
                                       {"reasons", Value::Array(reasons.begin(), reasons.end())}})};
}

void AddUsualHeaders(HttpAnswer& answer, bool is_secure) {
  auto& headers = answer.headers;
  const auto unless_said = [&](const char* name, const char* value) {
    const bool is_said =
        std::ranges::any_of(headers, [&](const auto& header) { return header.first == name; });
    if (!is_said) headers.emplace_back(name, value);
  };
  unless_said("Cache-Control", "no-store");
  unless_said("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  if (is_secure) headers.emplace_back("Strict-Transport-Security", "max-age=31536000");
}

}  // namespace patra::adapter::rest
