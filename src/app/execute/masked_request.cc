#include "app/execute/masked_request.h"

#include "app/send/redaction.h"
#include "base/value.h"

namespace patra::app {
namespace {

// Where a digest says that the credential went: "?api_key=***", "body.token=***", else it is a header.
void PutMask(const std::string& note, HttpRequest& request) {
  constexpr std::string_view kInBody = "body.";
  if (note.starts_with('?')) {
    const bool has_query = request.url.find('?') != std::string::npos;
    request.url += (has_query ? "&" : "?") + note.substr(1);
  } else if (note.starts_with(kInBody)) {
    const auto pair = note.substr(kInBody.size());
    const auto name = pair.substr(0, pair.find('='));
    auto body = ParseJson(request.body);
    if (body && body->AsObject() != nullptr) {
      (*body)[name] = kRedacted;
      request.body = PrintJson(*body);
    } else {
      request.body += (request.body.empty() ? "" : "&") + pair;
    }
  } else if (const auto colon = note.find(": "); colon != std::string::npos) {
    request.headers.emplace_back(note.substr(0, colon), note.substr(colon + 2));
  }
}

}  // namespace

HttpRequest WithMask(const HttpRequest& rendered, const std::string& digest) {
  const auto noted = ParseJson(digest);
  const auto* headers = noted ? noted->Find("headers") : nullptr;
  if (headers == nullptr || headers->AsArray() == nullptr) return rendered;
  auto request = rendered;
  request.headers.clear();
  for (const auto& header : *headers->AsArray()) {
    if (const auto* text = header.AsString()) PutMask(*text, request);
  }
  return request;
}

}  // namespace patra::app
