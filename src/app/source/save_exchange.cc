#include "app/source/save_exchange.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text_scanner.h"

namespace patra::app {
namespace {

constexpr std::size_t kExchangeBytesMax = std::size_t{1} << 20;

// Those that a page may be read by. Others tell about the moment, or the machine.
bool IsKept(std::string_view header) {
  constexpr auto kKept =
      std::to_array<std::string_view>({"content-type", "link", "x-total-count", "content-range"});
  return std::ranges::any_of(kKept, [&](auto kept) { return EqualIgnoringCase(kept, header); });
}

// JSON on one line is YAML, too.
std::string Quoted(std::string_view text) { return PrintJson(Value(text)); }

Value ExpectedOf(const domain::PageContent& content) {
  Value::Object expected;
  Value::Array records;
  for (const auto& record : content.records) {
    records.push_back(Value::Object{{"id", record.id},
                                    {"updated", FormatRfc3339(record.version.updated_at)},
                                    {"deleted", record.version.deleted},
                                    {"fields", ParseJson(record.fields).value_or(Value())}});
  }
  if (content.ids.empty()) expected["records"] = std::move(records);
  if (!content.ids.empty()) expected["ids"] = Value::Array(content.ids.begin(), content.ids.end());
  if (content.announced) expected["total"] = *content.announced;
  if (content.next) expected["next"] = *content.next;
  if (content.has_more) expected["has_more"] = *content.has_more;
  if (content.rule) expected["rule"] = domain::LowerCode(CodeOf(content.rule->action));
  expected["quarantined"] = std::ssize(content.bad_records);
  return expected;
}

std::string PageOf(const domain::SpecSnapshot& spec, const domain::Position& position) {
  if (position.token) return fmt::format("    page: {{token: {}}}\n", Quoted(*position.token));
  if (!position.page) return "";
  const bool is_offset = spec.paging.style == domain::PagingStyle::kOffset;
  return fmt::format("    page: {{{}: {}}}\n", is_offset ? "offset" : "number", *position.page);
}

}  // namespace

std::string ExchangeText(const SeenExchange& seen) {
  const auto& [spec, window, page, is_plain] = seen;
  const auto from = page.position.time.value_or(window.from());
  auto text = fmt::format("  - name: {}\n    endpoint: {}\n", Quoted(page.what + ", as it came"),
                          Quoted(spec.endpoint));
  if (!page.asked_ids.empty()) {
    text += fmt::format("    phase: details\n    ids: {}\n",
                        PrintJson(Value::Array(page.asked_ids.begin(), page.asked_ids.end())));
  }
  text += fmt::format("    window: {{from: {}, to: {}}}\n", Quoted(FormatRfc3339(from)),
                      Quoted(FormatRfc3339(window.to())));
  text += PageOf(spec, page.position);
  if (is_plain) {
    text +=
        fmt::format("    request: {}\n", Quoted(page.rendered.method + " " + page.rendered.url));
    if (!page.rendered.body.empty())
      text += fmt::format("    body: {}\n", Quoted(page.rendered.body));
  }
  text +=
      fmt::format("    answer:\n      status: {}\n", page.response ? page.response->status : 200);
  Value::Object headers;
  for (const auto& [name, value] : page.response ? page.response->headers : HttpHeaders{}) {
    if (IsKept(name)) headers[name] = value;
  }
  if (!headers.empty()) text += fmt::format("      headers: {}\n", PrintJson(headers));
  text += fmt::format("      body: {}\n    expect: {}\n", Quoted(page.body),
                      PrintJson(ExpectedOf(page.content)));
  return text;
}

Result<std::string> SaveExchanges(DefinitionFiles& files, const std::string& folder,
                                  const std::string& source,
                                  const std::vector<std::string>& exchanges) {
  const auto path = fmt::format("{}/exchanges/{}.yaml", folder, source);
  const auto before = files.ReadText(path);
  if (!before && before.error().code != ErrorCode::kNotFound)
    return std::unexpected(before.error());
  std::string text = before ? *before : "exchanges:\n";
  if (!text.ends_with('\n')) text += '\n';
  for (const auto& exchange : exchanges) text += exchange;
  if (text.size() > kExchangeBytesMax) {
    return Fail(ErrorCode::kLimit,
                fmt::format("{} would have {} bytes, and may have {}", path, text.size(),
                            kExchangeBytesMax),
                {}, "save smaller pages: ‹wish.page_size 10›");
  }
  const auto count = [](const DefinitionFile& file) {
    const auto* list = file.tree.Find("exchanges");
    return list != nullptr && file.problems.empty() ? list->items.size() : 0;
  };
  const auto held = before ? count(files.Parse(*before, path)) : 0;
  if (count(files.Parse(text, path)) != held + exchanges.size()) {
    return Fail(ErrorCode::kConflict, fmt::format("{} is written in another way", path), {},
                "nothing was added: it has to end with elements of `exchanges`, indented by two");
  }
  PATRA_TRY(files.Write(path, text));
  return path;
}

}  // namespace patra::app
