#include "sim/http_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/http_date.h"

namespace patra::sim {
namespace {

bool IsTokenCharacter(char c) {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  return std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenCharacter);
}

std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Cuts the first line off `rest`. Lines end with CRLF; a bare LF is accepted, as most servers do.
std::string_view TakeLine(std::string_view& rest) {
  const auto end = rest.find('\n');
  auto line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::unexpected<Error> BadRequest(std::string message) {
  return Fail(ErrorCode::kInvalidInput, std::move(message));
}

}  // namespace

Parameters Parameters::Decode(std::string_view query, std::size_t count_max) {
  Parameters parameters;
  while (!query.empty() && parameters.all_.size() < count_max) {
    const auto end = query.find('&');
    const auto pair = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    parameters.Add(PercentDecode(pair.substr(0, equals), true),
                   equals == std::string_view::npos ? std::string()
                                                    : PercentDecode(pair.substr(equals + 1), true));
  }
  return parameters;
}

const std::string* Parameters::Find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &NameAndText::first);
  return found == all_.end() ? nullptr : &found->second;
}

std::string Parameters::Get(std::string_view name, std::string_view otherwise) const {
  const auto* found = Find(name);
  return found ? *found : std::string(otherwise);
}

void Parameters::Add(std::string name, std::string value) {
  all_.emplace_back(std::move(name), std::move(value));
}

const std::string* Request::Header(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(headers, lower_case_name, &NameAndText::first);
  return found == headers.end() ? nullptr : &found->second;
}

Parameters Request::FormParameters(std::size_t count_max) const {
  Parameters merged = parameters;
  const auto* type = Header("content-type");
  const bool is_form = type && type->starts_with("application/x-www-form-urlencoded");
  if (!is_form) return merged;
  const auto form = Parameters::Decode(body, count_max);
  for (const auto& [name, value] : form.all()) merged.Add(name, value);
  return merged;
}

void Response::Reset() {
  status = 200;
  content_type = "application/json";
  headers.clear();
  body.clear();  // keeps its memory: pages of megabytes follow each other
  delivery = {};
  held_while_sending.reset();
  source.reset();
}

void Response::SetHeader(std::string name, std::string value) {
  for (auto& header : headers) {
    if (!EqualIgnoringCase(header.first, name)) continue;
    header.second = std::move(value);
    return;
  }
  headers.emplace_back(std::move(name), std::move(value));
}

Result<Request> ParseRequestHead(std::string_view head, const HttpLimits& limits) {
  if (head.size() > limits.head_bytes_max) return Fail(ErrorCode::kLimit, "request head too long");
  Request request;

  const auto first = TakeLine(head);
  const auto method_end = first.find(' ');
  const auto target_end = first.rfind(' ');
  if (method_end == std::string_view::npos || target_end <= method_end) {
    return BadRequest("malformed request line");
  }
  const auto version = first.substr(target_end + 1);
  request.method = first.substr(0, method_end);
  request.target = first.substr(method_end + 1, target_end - method_end - 1);
  if (!IsToken(request.method)) return BadRequest("malformed method");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return BadRequest("unknown HTTP version");
  const auto is_visible = [](char c) { return c > ' ' && c != 0x7f; };
  if (!std::ranges::all_of(request.target, is_visible)) return BadRequest("malformed target");

  // The absolute form is what a client sends that takes us for its proxy.
  std::string_view target = request.target;
  if (const auto scheme = target.find("://");
      scheme != std::string_view::npos && target[0] != '/') {
    const auto slash = target.find('/', scheme + 3);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  if (!target.starts_with('/')) return BadRequest("the target must be a path");
  const auto question = target.find('?');
  request.path = PercentDecode(target.substr(0, question), false);
  if (question != std::string_view::npos) request.query = target.substr(question + 1);
  request.parameters = Parameters::Decode(request.query, limits.parameters_max);

  while (!head.empty()) {
    const auto line = TakeLine(head);
    if (line.empty()) continue;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
      return BadRequest("malformed header line");
    }
    if (request.headers.size() == limits.headers_max) {
      return Fail(ErrorCode::kLimit, "too many headers");
    }
    request.headers.emplace_back(LowerCase(line.substr(0, colon)),
                                 std::string(TrimBlanks(line.substr(colon + 1))));
  }
  const auto* connection = request.Header("connection");
  const auto wish = connection ? LowerCase(*connection) : std::string();
  request.keep_alive = version == "HTTP/1.1" ? wish != "close" : wish == "keep-alive";
  return request;
}

Result<std::size_t> BodyBytes(const Request& request, const HttpLimits& limits) {
  if (request.Header("transfer-encoding")) {
    return BadRequest("the simulator reads request bodies with a Content-Length only");
  }
  const auto* length = request.Header("content-length");
  if (!length) return 0;
  const auto bytes = ParseInteger(*length);
  if (!bytes || *bytes < 0) return BadRequest("malformed Content-Length");
  if (static_cast<std::uint64_t>(*bytes) > limits.body_bytes_max) {
    return Fail(ErrorCode::kLimit, "request body too long");
  }
  return static_cast<std::size_t>(*bytes);
}

std::string PrintHead(const Response& response, std::size_t body_bytes, Instant date) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(response.headers, [&](const NameAndText& header) {
      return EqualIgnoringCase(header.first, name);
    });
  };
  std::string head;
  head.reserve(512);
  fmt::format_to(std::back_inserter(head), "HTTP/1.1 {} {}\r\n", response.status,
                 ReasonOf(response.status));
  if (!has("date")) fmt::format_to(std::back_inserter(head), "date: {}\r\n", FormatHttpDate(date));
  if (!response.content_type.empty()) {
    fmt::format_to(std::back_inserter(head), "content-type: {}\r\n", response.content_type);
  }
  for (const auto& [name, value] : response.headers) {
    fmt::format_to(std::back_inserter(head), "{}: {}\r\n", name, value);
  }
  const auto& delivery = response.delivery;
  if (delivery.framing == Delivery::Framing::kContentLength) {
    fmt::format_to(std::back_inserter(head), "content-length: {}\r\n",
                   delivery.declared_bytes.value_or(body_bytes));
  } else if (delivery.framing == Delivery::Framing::kChunked) {
    head += "transfer-encoding: chunked\r\n";
  }
  if (!has("connection")) {
    const bool keep = delivery.end == Delivery::End::kKeepOpen &&
                      delivery.framing != Delivery::Framing::kUntilClose;
    head += keep ? "connection: keep-alive\r\n" : "connection: close\r\n";
  }
  head += "\r\n";
  return head;
}

std::string_view ReasonOf(int status) {
  struct Reason {
    int status;
    std::string_view text;
  };
  static constexpr auto kReasons = std::to_array<Reason>({
      {200, "OK"},
      {204, "No Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {409, "Conflict"},
      {410, "Gone"},
      {411, "Length Required"},
      {413, "Content Too Large"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  });
  for (const auto& reason : kReasons) {
    if (reason.status == status) return reason.text;
  }
  return "Unnamed";
}

std::string PercentDecode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
        HexDigit(text[i + 2]) >= 0) {
      decoded += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else if (text[i] == '+' && plus_is_blank) {
      decoded += ' ';
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string PercentEncode(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool unreserved = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                            (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_' || c == '~';
    if (unreserved) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kHex[byte >> 4];
    encoded += kHex[byte & 15];
  }
  return encoded;
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && LowerCase(a) == LowerCase(b);
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace patra::sim
