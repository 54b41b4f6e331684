#include "adapter/rest/answerer.h"

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
  headers.emplace_back("Cache-Control", "no-store");
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  if (is_secure) headers.emplace_back("Strict-Transport-Security", "max-age=31536000");
}

}  // namespace patra::adapter::rest
