#include "domain/hook/provider_hooks.h"

#include <algorithm>
#include <array>
#include <ranges>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/document.h"
#include "base/text_scanner.h"

namespace patra::domain {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// What some put before the call, so that nobody takes the answer for another kind of file.
constexpr std::string_view kGuard = "/**/";
// Longer is no name of a function, but a page of something else.
constexpr std::size_t kCallbackBytesMax = 256;

std::unexpected<Error> NotWrapped(std::string_view body, std::string_view rest, std::string what) {
  const auto offset = static_cast<std::size_t>(rest.data() - body.data());
  return std::unexpected(Error{ErrorCode::kCorruption, std::move(what), PlaceOfOffset(body, offset),
                               "the provider answered in another shape than the hook expects"});
}

// Commas, colons and slashes may stand in a query as they are. Some providers compare what was sent and decode nothing.
Result<std::string> WithPlainSeparators(std::string url) {
  struct Escaped {
    std::string_view code;
    char character;
  };
  static constexpr auto kSeparators =
      std::to_array<Escaped>({{"%2C", ','}, {"%3A", ':'}, {"%2F", '/'}});
  std::string plain;
  plain.reserve(url.size());
  const auto query = std::min(url.find('?'), url.size());
  for (std::size_t at = 0; at < url.size();) {
    const auto code = std::string_view(url).substr(at, 3);
    const auto known = std::ranges::find_if(kSeparators, [&](const Escaped& escaped) {
      return at > query && EqualIgnoringCase(escaped.code, code);
    });
    const bool is_escaped = known != kSeparators.end();
    plain += is_escaped ? known->character : url[at];
    at += is_escaped ? code.size() : 1;
  }
  return plain;
}

bool IsNameOfFunction(std::string_view name) {
  return !name.empty() && name.size() <= kCallbackBytesMax && std::ranges::all_of(name, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || c == '$' || c == '.';
  });
}

// `name(DOCUMENT)`, with `/**/` before it and a semicolon behind it where somebody wants to be safe.
Result<std::string> UnwrapJsonp(std::string_view body) {
  auto rest = body;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  rest = Trim(rest);
  if (rest.starts_with(kGuard)) rest = Trim(rest.substr(kGuard.size()));
  const auto open = rest.substr(0, kCallbackBytesMax + 1).find('(');
  if (open == std::string_view::npos || !IsNameOfFunction(rest.substr(0, open)))
    return NotWrapped(body, rest, "the answer does not begin with a function's name and '('");
  auto call = rest;
  if (call.ends_with(';')) call = Trim(call.substr(0, call.size() - 1));
  if (!call.ends_with(')'))
    return NotWrapped(body, rest.substr(rest.size()), "the answer does not end with ')'");
  return std::string(call.substr(open + 1, call.size() - open - 2));
}

// A JSON text whose only value is a string, which is the document: somebody encoded it twice.
Result<std::string> UnwrapJsonText(std::string_view body) {
  const auto document = PATRA_TRY(Document::ParseJson(std::string(body)));
  const auto text = document.root().AsString();
  if (!text) return NotWrapped(body, body, "the answer is no JSON text that holds the document");
  return std::string(*text);
}

std::optional<std::string> TotalCountHeader(const PageAnswer& answer) {
  const auto* total = FindHeader(answer.headers, "x-total-count");
  return total == nullptr ? std::nullopt : std::optional(*total);
}

// `items 0-24/319`: what follows the slash. A star is what nobody counted.
std::optional<std::string> ContentRangeTotal(const PageAnswer& answer) {
  const auto* range = FindHeader(answer.headers, "content-range");
  const auto slash = range == nullptr ? std::string::npos : range->rfind('/');
  if (slash == std::string::npos || range->substr(slash + 1) == "*") return std::nullopt;
  return range->substr(slash + 1);
}

Result<std::optional<std::string>> AfterLastId(const PageEnd& end) {
  if (end.rows == 0) return std::nullopt;
  if (end.last_id) return end.last_id;
  return Fail(
      ErrorCode::kCorruption,
      fmt::format("record {} of the page, the last one, has no id, after which the next page "
                  "begins",
                  end.rows),
      {}, "without it nobody can tell what follows");
}

constexpr auto kRequestHooks =
    std::to_array<RequestHook>({{"plain-separators", WithPlainSeparators}});
constexpr auto kResponseHooks =
    std::to_array<ResponseHook>({{"jsonp", UnwrapJsonp}, {"json-text", UnwrapJsonText}});
constexpr auto kPagingHooks =
    std::to_array<PagingHook>({{.name = "total-count-header", .total = TotalCountHeader},
                               {.name = "content-range-total", .total = ContentRangeTotal},
                               {.name = "after-last-id", .next = AfterLastId}});

template <typename Table>
auto FindIn(const Table& table, std::string_view kind, std::string_view name)
    -> Result<const typename Table::value_type*> {
  std::vector<std::string_view> names;
  for (const auto& hook : table) {
    if (hook.name == name) return &hook;
    names.push_back(hook.name);
  }
  const auto all =
      fmt::format("there {} {}", names.size() == 1 ? "is" : "are", fmt::join(names, ", "));
  const auto guess = DidYouMean(name, names);
  return Fail(ErrorCode::kNotFound, fmt::format("there is no {} hook '{}'", kind, name), {},
              guess.empty() ? all : fmt::format("{} {}", guess, all));
}

const PagingHook* KnownPaging(const std::optional<HookSpec>& hooks) {
  if (!hooks || !hooks->paging) return nullptr;
  return FindPagingHook(*hooks->paging).value_or(nullptr);
}

}  // namespace

Result<const RequestHook*> FindRequestHook(std::string_view name) {
  return FindIn(kRequestHooks, "request", name);
}

Result<const ResponseHook*> FindResponseHook(std::string_view name) {
  return FindIn(kResponseHooks, "response", name);
}

Result<const PagingHook*> FindPagingHook(std::string_view name) {
  return FindIn(kPagingHooks, "paging", name);
}

bool HookGivesTotal(const std::optional<HookSpec>& hooks) {
  const auto* hook = KnownPaging(hooks);
  return hook != nullptr && hook->total != nullptr;
}

bool HookGivesNext(const std::optional<HookSpec>& hooks) {
  const auto* hook = KnownPaging(hooks);
  return hook != nullptr && hook->next != nullptr;
}

}  // namespace patra::domain
