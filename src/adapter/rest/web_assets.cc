#include "adapter/rest/web_assets.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapter/rest/problem.h"

namespace patra::adapter::rest {
namespace {

// Nothing from elsewhere, nothing inline: what a record holds cannot become a script.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

constexpr std::string_view kWithout =
    "This patra was built without the dashboard.\n\n"
    "`make demo-web` or `make build` in its repository builds one with it; the API is here under "
    "/api/v1 all the same,\nand GET /api/v1/openapi.json describes it.\n";

// A name that holds a digest of the content means the same for good.
bool IsNamedByContent(const WebFile& file) { return file.name.find(file.mark) != file.name.npos; }

HttpAnswer WithoutIt() {
  return {.content_type = "text/plain; charset=utf-8", .body = std::string(kWithout)};
}

HttpAnswer NoSuchFile() {
  return ProblemOf({ErrorCode::kNotFound,
                    "the dashboard has no such file",
                    {},
                    "load the page anew: patra was replaced by another version"});
}

HttpAnswer ContentOf(const HttpRequest& request, const WebFile& file) {
  const auto mark = fmt::format("\"{}\"", file.mark);
  HttpAnswer answer{
      .headers = {{"ETag", mark},
                  {"Vary", "Accept-Encoding"},
                  {"Cache-Control",
                   IsNamedByContent(file) ? "public, max-age=31536000, immutable" : "no-cache"},
                  {"Content-Security-Policy", std::string(kPolicy)}}};
  if (request.Header("if-none-match").find(mark) != std::string_view::npos) {
    answer.status = 304;
    return answer;
  }
  answer.content_type = file.content_type;
  answer.body = file.gzip;
  answer.headers.emplace_back("Content-Encoding", "gzip");
  return answer;
}

}  // namespace

std::optional<HttpAnswer> AnswerWeb(const HttpRequest& request,
                                    const std::vector<std::string>& path,
                                    std::span<const WebFile> files) {
  const bool is_page = path.empty();
  if (!is_page && path.front() != "assets") return std::nullopt;
  if (request.method != "GET" && request.method != "HEAD") {
    auto answer = ProblemWith(
        405,
        {ErrorCode::kInvalidInput, "this method is not for this path", {}, "it takes GET, HEAD"});
    answer.headers.emplace_back("Allow", "GET, HEAD");
    return answer;
  }
  if (is_page && files.empty()) return WithoutIt();
  const auto name = is_page ? std::string("index.html") : fmt::format("{}", fmt::join(path, "/"));
  const auto found = std::ranges::find(files, name, &WebFile::name);
  if (found == files.end()) return NoSuchFile();
  if (request.Header("accept-encoding").find("gzip") == std::string_view::npos) {
    return ProblemWith(406, {ErrorCode::kInvalidInput,
                             "the dashboard is kept compressed",
                             {},
                             "send Accept-Encoding: gzip"});
  }
  return ContentOf(request, *found);
}

}  // namespace patra::adapter::rest
