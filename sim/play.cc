#include "sim/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace patra::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFilesMax = 100'000;
constexpr std::uintmax_t kBodyBytesMax = 256u << 20;
constexpr std::size_t kPlayParametersMax = 1'000;
constexpr std::string_view kHeadersSuffix = ".headers.txt";

std::string ReadWhole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view TakeLine(std::string_view& rest) {
  const auto end = rest.find('\n');
  const auto line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return Trim(line);
}

std::string TypeByName(const fs::path& path) {
  const auto extension = path.extension();
  if (extension == ".json") return "application/json";
  if (extension == ".xml") return "text/xml; charset=utf-8";
  if (extension == ".html") return "text/html";
  return "text/plain; charset=utf-8";
}

// Recorded bodies are stored without their encodings, so headers about these would be lies.
bool IsAboutFraming(std::string_view lower_case_name) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"content-encoding", "content-length", "transfer-encoding",
                                       "connection", "date", "keep-alive", "content-type"});
  return std::ranges::find(kNames, lower_case_name) != kNames.end();
}

Result<Exchange> ReadHeadersFile(const fs::path& path) {
  const auto text = ReadWhole(path);
  std::string_view rest = text;
  constexpr std::string_view kRequest = "# recorded request:";
  auto line = TakeLine(rest);
  if (!line.starts_with(kRequest)) {
    return Fail(ErrorCode::kInvalidInput, "the first line must name the recorded request",
                {.file = path.string(), .line = 1});
  }
  auto exchange = PATRA_TRY(ParseRecordedRequest(Trim(line.substr(kRequest.size()))));
  line = TakeLine(rest);
  const auto status = ParseInteger(Trim(line.substr(line.find(' ') + 1)).substr(0, 3));
  if (!line.starts_with("HTTP") || !status) {
    return Fail(ErrorCode::kInvalidInput, "the second line must be HTTP and a status",
                {.file = path.string(), .line = 2});
  }
  exchange.status = static_cast<int>(*status);
  while (!rest.empty()) {
    line = TakeLine(rest);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto name = LowerCase(line.substr(0, colon));
    const auto value = Trim(line.substr(colon + 1));
    if (name == "content-type") exchange.content_type = value;
    if (!IsAboutFraming(name)) exchange.headers.emplace_back(name, value);
  }
  return exchange;
}

fs::path BodyBeside(const fs::path& headers_file) {
  const auto name = headers_file.filename().string();
  const auto stem = name.substr(0, name.size() - kHeadersSuffix.size());
  for (const auto* extension : {".json", ".xml", ".html", ".txt", ".bin", ""}) {
    const auto candidate = headers_file.parent_path() / (stem + extension);
    if (fs::is_regular_file(candidate)) return candidate;
  }
  return {};
}

// Rows of an INDEX.md: | file | hdr | status | `request` | … under headings "## folder (n bodies)".
std::map<std::string, std::pair<int, std::string>> ReadIndex(const fs::path& path) {
  std::map<std::string, std::pair<int, std::string>> requests;  // by folder/file
  const auto text = ReadWhole(path);
  std::string_view rest = text;
  std::string folder;
  while (!rest.empty()) {
    const auto line = TakeLine(rest);
    if (line.starts_with("## ")) {
      folder = line.substr(3, line.find(' ', 3) - 3);
      continue;
    }
    if (!line.starts_with("| ")) continue;
    std::vector<std::string_view> cells;
    for (auto cell_rest = line.substr(1); !cell_rest.empty();) {
      const auto bar = cell_rest.find(" |");
      cells.push_back(Trim(cell_rest.substr(0, bar)));
      cell_rest.remove_prefix(bar == std::string_view::npos ? cell_rest.size() : bar + 2);
    }
    if (cells.size() < 4 || cells[3].size() < 3 || !cells[3].starts_with('`')) continue;
    const auto request = cells[3].substr(1, cells[3].rfind('`') - 1);
    const auto status = ParseInteger(cells[2]).value_or(200);
    requests[fmt::format("{}/{}", folder, cells[0])] = {static_cast<int>(status),
                                                        std::string(request)};
  }
  return requests;
}

// Keys and addresses were taken out of the recordings; so were the ends of long tokens in an index.
bool IsPlaceholder(std::string_view value) {
  return (value.starts_with('<') && value.ends_with('>')) || value == "...";
}

bool SameValue(std::string_view recorded, std::string_view sent) {
  if (IsPlaceholder(recorded)) return true;
  if (recorded.ends_with("..")) return sent.starts_with(recorded.substr(0, recorded.size() - 2));
  return recorded == sent;
}

std::vector<NameAndText> Sorted(const Parameters& parameters) {
  auto all = parameters.all();
  std::ranges::sort(all);
  return all;
}

}  // namespace

Result<Exchange> ParseRecordedRequest(std::string_view text) {
  const auto blank = text.find(' ');
  const auto method = text.substr(0, blank);
  const auto scheme = text.find("://");
  if (blank == std::string_view::npos || scheme == std::string_view::npos ||
      (method != "GET" && method != "POST" && method != "HEAD")) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no recorded request", text), {},
                "write GET https://host/path?query");
  }
  Exchange exchange;
  exchange.method = method;
  auto url = Trim(text.substr(scheme + 3));
  std::string_view form;
  if (const auto body = url.find(" body "); body != std::string_view::npos) {
    form = url.substr(body + 6);
    url = url.substr(0, body);
  }
  if (const auto note = url.find(" ("); note != std::string_view::npos) url = url.substr(0, note);
  if (const auto json = url.find(" {"); json != std::string_view::npos) url = url.substr(0, json);
  if (method == "POST") url = url.substr(0, url.find(' '));
  const auto slash = url.find('/');
  exchange.host = LowerCase(url.substr(0, std::min(slash, url.find(':'))));
  const auto target = slash == std::string_view::npos ? "/" : url.substr(slash);
  const auto question = target.find('?');
  exchange.path = PercentDecode(target.substr(0, question), false);
  std::string query(question == std::string_view::npos ? "" : target.substr(question + 1));
  exchange.has_form = !form.empty();
  if (exchange.has_form) query += fmt::format("{}{}", query.empty() ? "" : "&", form);
  exchange.parameters = Parameters::Decode(query, kPlayParametersMax);
  return exchange;
}

Result<std::vector<Exchange>> LoadExchanges(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(folder, problem), end; !problem && it != end;
       it.increment(problem)) {
    if (it->is_regular_file() && files.size() < kFilesMax) files.push_back(it->path());
  }
  if (problem) {
    return Fail(ErrorCode::kNotFound, "cannot read the folder: " + problem.message(),
                {.file = folder.string()});
  }
  std::ranges::sort(files);

  const auto absolute = fs::weakly_canonical(folder);
  const auto index = fs::exists(absolute / "INDEX.md")
                         ? ReadIndex(absolute / "INDEX.md")
                         : ReadIndex(absolute.parent_path() / "INDEX.md");
  std::vector<Exchange> exchanges;
  for (const auto& file : files) {
    const auto name = file.filename().string();
    if (name.ends_with(kHeadersSuffix)) {
      auto exchange = PATRA_TRY(ReadHeadersFile(file));
      exchange.body_file = BodyBeside(file);
      exchanges.push_back(std::move(exchange));
      continue;
    }
    const auto key = fs::weakly_canonical(file).parent_path().filename().string() + "/" + name;
    const auto found = index.find(key);
    const auto headers_file =
        file.parent_path() / (file.stem().string() + std::string(kHeadersSuffix));
    if (found == index.end() || fs::exists(headers_file)) continue;
    auto exchange = ParseRecordedRequest(found->second.second);
    if (!exchange) continue;  // a row that names no request, such as an example of a specification
    exchange->status = found->second.first;
    exchange->body_file = file;
    exchanges.push_back(std::move(*exchange));
  }
  if (exchanges.empty()) {
    return Fail(
        ErrorCode::kNotFound, "no exchange is saved there", {.file = folder.string()},
        "a body X.json needs X.headers.txt beside it, or an INDEX.md that names its request");
  }
  return exchanges;
}

Player::Player(std::vector<Exchange> exchanges) : exchanges_(std::move(exchanges)) {}

bool Player::Matches(const Exchange& exchange, const Request& request,
                     const Parameters& sent) const {
  if (exchange.method != request.method) return false;
  const auto with_host = fmt::format("/{}{}", exchange.host, exchange.path);
  if (request.path != exchange.path && request.path != with_host) return false;
  // A parameter whose value was taken out of the recording may be there or not.
  auto recorded = Sorted(exchange.parameters);
  auto given = Sorted(exchange.has_form ? sent : request.parameters);
  std::erase_if(recorded, [&](const NameAndText& named) {
    if (!IsPlaceholder(named.second)) return false;
    std::erase_if(given, [&](const NameAndText& other) { return other.first == named.first; });
    return true;
  });
  return std::ranges::equal(recorded, given, [](const NameAndText& a, const NameAndText& b) {
    return a.first == b.first && SameValue(a.second, b.second);
  });
}

void Player::Answer(const Request& request, Response& response) {
  const auto sent = request.FormParameters(kPlayParametersMax);
  std::vector<const Exchange*> matching;
  for (const auto& exchange : exchanges_) {
    if (Matches(exchange, request, sent)) matching.push_back(&exchange);
  }
  if (matching.empty()) {
    response.status = 404;
    response.content_type = "text/plain; charset=utf-8";
    response.body =
        fmt::format("no saved exchange answers {} {}\n", request.method, request.target);
    return;
  }
  std::string key = request.method + " " + request.path;
  for (const auto& [name, value] : Sorted(sent)) key += fmt::format("&{}={}", name, value);
  std::size_t turn = 0;
  {
    const std::lock_guard lock(mutex_);
    if (answered_.size() > kFilesMax) answered_.clear();
    turn = answered_[key]++;
  }
  const auto& exchange = *matching[std::min(turn, matching.size() - 1)];
  response.status = exchange.status;
  response.headers = exchange.headers;
  response.content_type = exchange.content_type.empty() && !exchange.body_file.empty()
                              ? TypeByName(exchange.body_file)
                              : exchange.content_type;
  std::error_code problem;
  if (!exchange.body_file.empty() && fs::file_size(exchange.body_file, problem) <= kBodyBytesMax) {
    response.body = ReadWhole(exchange.body_file);
  }
}

std::vector<std::string> Player::Requests() const {
  std::vector<std::string> requests;
  for (const auto& exchange : exchanges_) {
    std::string query;
    for (const auto& [name, value] : exchange.parameters.all()) {
      query += fmt::format("{}{}={}", query.empty() ? "?" : "&", PercentEncode(name),
                           PercentEncode(value));
    }
    requests.push_back(
        fmt::format("{} /{}{}{}", exchange.method, exchange.host, exchange.path, query));
  }
  return requests;
}

}  // namespace patra::sim
