// The dashboard: a page and what it loads, which the program carries inside itself. Anybody who may connect gets them, since they
// hold no data; what they show they ask the API for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/rest/http_message.h"

namespace patra::adapter::rest {

// `gzip` is how it is kept and sent.
struct WebFile {
  std::string_view name;  // "index.html", "assets/app-0123456789ab.js"
  std::string_view content_type;
  std::string_view mark;  // the same where the content is
  std::string_view gzip;
};

// Empty where the program was built without (PATRA_WEB).
std::span<const WebFile> EmbeddedWebFiles();

// Nothing where that path is not the dashboard's: the page is "/", what it loads is below "/assets".
std::optional<HttpAnswer> AnswerWeb(const HttpRequest& request,
                                    const std::vector<std::string>& path,
                                    std::span<const WebFile> files);

}  // namespace patra::adapter::rest
