#include "base/placement.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/json_pointer.h"
#include "base/text_scanner.h"
#include "base/utf8.h"

namespace patra {
namespace {

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

void AppendPercent(char c, std::string& out) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kHex[byte >> 4];
  out += kHex[byte & 0xF];
}

// Where in the text the trouble is, counted from one.
Place PlaceOf(std::size_t offset) { return TextScanner::PlaceAt(offset); }

Result<std::string> EncodedSegment(std::string_view segment, std::size_t offset) {
  if (segment.empty()) {
    return Fail(ErrorCode::kInvalidInput, "a segment of a URL's path is empty", PlaceOf(offset),
                "give the value, or leave the segment out of the path");
  }
  if (segment == "." || segment == "..") {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("a segment of a URL's path is '{}', which names another path", segment),
                PlaceOf(offset));
  }
  if (const auto control = std::ranges::find_if(segment, IsControl); control != segment.end()) {
    return Fail(ErrorCode::kInvalidInput, "a segment of a URL's path has a control character",
                PlaceOf(offset + static_cast<std::size_t>(control - segment.begin())));
  }
  return PercentEncode(segment);
}

Result<void> CheckText(std::string_view text, const std::string& pointer) {
  if (const auto bad = FindInvalidUtf8(text); bad != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidInput, "a text in a JSON body is not valid UTF-8",
                {.column = static_cast<int>(bad) + 1, .pointer = pointer});
  }
  return {};
}

Result<void> CheckJson(const Value& value, const std::string& pointer, int depth) {
  if (depth > JsonLimits{}.depth_max) {
    return Fail(ErrorCode::kLimit,
                fmt::format("a JSON body is nested deeper than {} levels", JsonLimits{}.depth_max));
  }
  if (const auto* text = value.AsString()) return CheckText(*text, pointer);
  if (const auto* number = value.AsDouble(); number != nullptr && !std::isfinite(*number)) {
    return Fail(ErrorCode::kInvalidInput, "a number in a JSON body is not finite",
                {.pointer = pointer});
  }
  if (const auto* items = value.AsArray()) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      PATRA_TRY(CheckJson((*items)[i], fmt::format("{}/{}", pointer, i), depth + 1));
    }
  }
  if (const auto* members = value.AsObject()) {
    for (const auto& [name, member] : *members) {
      const auto place = ChildPointer(pointer, name);
      PATRA_TRY(CheckText(name, pointer));
      PATRA_TRY(CheckJson(member, place, depth + 1));
    }
  }
  return {};
}

void AppendFormText(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == ' ') {
      out += '+';
    } else if (IsLetter(c) || IsDigit(c) || c == '*' || c == '-' || c == '.' || c == '_') {
      out += c;
    } else {
      AppendPercent(c, out);
    }
  }
}

}  // namespace

Result<std::string> ScalarText(const Value& value) {
  if (const auto* text = value.AsString()) return *text;
  if (const auto* integer = value.AsInteger()) return fmt::format_int(*integer).str();
  if (const auto* flag = value.AsBool()) return *flag ? "true" : "false";
  if (const auto* number = value.AsDouble(); number != nullptr && std::isfinite(*number)) {
    std::string text;
    AppendJsonNumber(*number, text);
    return text;
  }
  return Fail(ErrorCode::kInvalidInput,
              value.AsDouble() != nullptr
                  ? "this number is not finite"
                  : fmt::format("a text is needed, not {} {}",
                                value.AsArray() || value.AsObject() ? "an" : "a", value.TypeName()),
              {}, value.AsArray() ? "make a text of it, as | join(',')" : "");
}

std::string PercentEncode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (IsLetter(c) || IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      out += c;
    } else {
      AppendPercent(c, out);
    }
  }
  return out;
}

Result<std::string> PathSegment(const Value& value) {
  const auto text = PATRA_TRY(ScalarText(value));
  return EncodedSegment(text, 0);
}

Result<std::string> PathSegments(const Value& value) {
  const auto text = PATRA_TRY(ScalarText(value));
  std::string path;
  for (std::size_t start = 0; start <= text.size();) {
    const auto end = std::min(text.find('/', start), text.size());
    if (start > 0) path += '/';
    path += PATRA_TRY(EncodedSegment(std::string_view(text).substr(start, end - start), start));
    start = end + 1;
  }
  return path;
}

Result<std::string> QueryValue(const Value& value) {
  const auto text = PATRA_TRY(ScalarText(value));
  if (const auto nul = text.find('\0'); nul != std::string::npos) {
    return Fail(ErrorCode::kInvalidInput, "a query parameter has a NUL", PlaceOf(nul));
  }
  return PercentEncode(text);
}

Result<std::string> HeaderValue(const Value& value) {
  auto text = PATRA_TRY(ScalarText(value));
  const auto allowed = [](char c) { return (c > 0x20 && c < 0x7F) || c == ' ' || c == '\t'; };
  if (const auto bad = std::ranges::find_if_not(text, allowed); bad != text.end()) {
    return Fail(ErrorCode::kInvalidInput,
                IsControl(*bad) ? "a header value has a control character"
                                : "a header value has a character outside ASCII",
                PlaceOf(static_cast<std::size_t>(bad - text.begin())),
                "encode it, as | urlEncode or | base64");
  }
  if (!text.empty() && (IsBlank(text.front()) || IsBlank(text.back()))) {
    return Fail(ErrorCode::kInvalidInput, "a header value begins or ends with a blank",
                PlaceOf(IsBlank(text.front()) ? 0 : text.size() - 1), "cut it off, as | trim");
  }
  return text;
}

Result<std::string> JsonBody(const Value& value) {
  PATRA_TRY(CheckJson(value, "", 0));
  return PrintJson(value);
}

Result<std::string> FormBody(std::span<const FormField> fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    auto text = ScalarText(value);
    if (!text) {
      return std::unexpected(std::move(text).error().At({.pointer = ChildPointer("", name)}));
    }
    if (!body.empty()) body += '&';
    AppendFormText(name, body);
    body += '=';
    AppendFormText(*text, body);
  }
  return body;
}

}  // namespace patra
