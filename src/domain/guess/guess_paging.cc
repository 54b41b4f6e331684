#include "domain/guess/guess_paging.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "domain/guess/address_secret.h"
#include "domain/page/link_header.h"
#include "domain/page/link_list.h"
#include "domain/page/sought_token.h"

namespace patra::domain {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::size_t kLinksDeep = 3;

constexpr auto kPageNames = std::to_array<std::string_view>(
    {"page", "pagenumber", "pageno", "pageindex", "pagenum", "currentpage", "p", "pg"});
constexpr auto kOffsetNames = std::to_array<std::string_view>(
    {"offset", "start", "skip", "startindex", "retstart", "pageoffset", "from", "begin", "first"});
constexpr auto kSizeNames = std::to_array<std::string_view>(
    {"size", "perpage", "pagesize", "limit", "rows", "count", "max", "maxresults", "retmax", "top",
     "pagelimit", "hitsperpage", "num", "take", "resultsperpage", "itemsperpage"});
constexpr auto kTokenNames = std::to_array<std::string_view>(
    {"cursor", "pagetoken", "nexttoken", "after", "cursormark", "continuation", "continuationtoken",
     "resumptiontoken", "scroll", "scrollid", "startingafter", "token", "pagecursor", "pageafter",
     "bookmark"});
constexpr auto kNextTokens = std::to_array<std::string_view>(
    {"nextcursor", "nextpagetoken", "nextcursormark", "nexttoken", "continuationtoken", "endcursor",
     "resumptiontoken", "scrollid", "nextpagecursor", "next", "cursor", "bookmark", "after"});
constexpr auto kNextLinks = std::to_array<std::string_view>(
    {"next", "nextpage", "nextlink", "nexturl", "nextpageurl", "odatanextlink", "nexthref"});
constexpr auto kEndWords =
    std::to_array<std::string_view>({"until", "to", "end", "before", "max", "lte", "lt"});

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = ToLower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string DecodedPart(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
                           HexDigit(text[i + 2]) >= 0;
    if (is_escape) {
      plain += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

bool IsAmongNames(Names names, std::string_view name) {
  return std::ranges::find(names, PlainName(name)) != names.end();
}

std::optional<std::int64_t> WholeIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

GuessedParameter* FindParameter(Names names, bool is_number,
                                std::vector<GuessedParameter>& parameters) {
  for (auto& parameter : parameters) {
    const bool is_free = parameter.why.empty();
    if (is_free && IsAmongNames(names, parameter.name) && (!is_number || WholeIn(parameter.value)))
      return &parameter;
  }
  return nullptr;
}

bool IsLink(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://") || text.starts_with("/") ||
         text.starts_with("?");
}

const LooseValue* FindNext(const std::vector<LooseValue>& loose, Names names, bool is_link) {
  for (const auto name : names) {
    for (const auto& found : loose) {
      // {"next": {"href": …}} is named by what holds it.
      const auto own = PlainName(found.name());
      const bool is_held = own == "href" && found.steps.size() > 1;
      const auto called = is_held ? PlainName(found.steps[found.steps.size() - 2]) : own;
      const auto text = ScalarIn(*found.value);
      if (called == name && text && !text->empty() && IsLink(*text) == is_link) return &found;
    }
  }
  return nullptr;
}

// <link rel="next" href="…"/> of Atom, wherever above the records it stands.
std::optional<std::string> AtomNext(const ParsedAnswer& answer) {
  if (!answer.is_xml || answer.content.AsObject() == nullptr) return std::nullopt;
  const auto is_next = [](const Value& link) {
    const auto* rel = link.Find("@rel");
    return rel != nullptr && rel->AsString() != nullptr && *rel->AsString() == "next" &&
           link.Find("@href") != nullptr;
  };
  for (const auto& [name, member] : *answer.content.AsObject()) {
    const auto* links = member.AsArray();
    const bool has_next = links != nullptr ? std::ranges::any_of(*links, is_next) : is_next(member);
    if (has_next) return PathFromRoot(answer, {name}) + "[@rel='next']/@href";
  }
  return std::nullopt;
}

// A list of links of which one is the next, wherever above the records it stands.
std::optional<std::string> ListedNext(const ParsedAnswer& answer, const Value& value,
                                      const Steps& steps) {
  if (value.AsArray() != nullptr) {
    const auto way = WayToNextLink(Node(value));
    return way ? std::optional(PathFromRoot(answer, steps) + *way) : std::nullopt;
  }
  const auto* members = value.AsObject();
  if (answer.is_xml || members == nullptr || steps.size() > kLinksDeep) return std::nullopt;
  for (const auto& [name, member] : *members) {
    auto further = steps;
    further.push_back(name);
    if (auto found = ListedNext(answer, member, further)) return found;
  }
  return std::nullopt;
}

// How many records a page has: a parameter that says so, else what came.
void AddSize(const LookedAtPage& page, std::vector<GuessedParameter>& parameters,
             std::vector<GuessedKey>& keys) {
  auto* size = FindParameter(kSizeNames, true, parameters);
  if (size != nullptr && *WholeIn(size->value) > 0) {
    keys.push_back({"size", size->value, "as in the address; `size_max` where you know it"});
    size->value = "${page.size}";
    size->why = "how many records a page has";
  } else {
    keys.push_back({"size", fmt::to_string(page.list.records.size()), "as many came"});
  }
}

std::vector<GuessedKey> ByToken(const LookedAtPage& page, const LooseValue& next,
                                std::vector<GuessedParameter>& parameters) {
  std::vector<GuessedKey> keys{{"style", "token", fmt::format("the answer has '{}'", next.name())},
                               {"next", YamlText(PathFromRoot(page.answer, next.steps))}};
  const auto plain = PlainName(next.name());
  if (NamesPlaceOfPage(plain) || plain == "bookmark" || plain == "scrollid")
    keys.push_back({"ends", "[no_token, empty_page]", "a last page may have one like this, too"});
  auto* token = FindParameter(kTokenNames, false, parameters);
  if (token != nullptr) {
    // One that was handed out once begins in the middle of the list.
    if (!token->value.empty() && !LooksRandom(token->value))
      keys.push_back({"first", YamlText(token->value), "as in the address"});
    token->value = "${page.token}";
    token->why = "where the next page begins";
  } else {
    auto name = PlainName(next.name());
    if (name.starts_with("next")) name = name.substr(4);
    const auto& own = next.name();
    const bool is_camel = std::ranges::any_of(own, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (name == "pagetoken") name = is_camel ? "pageToken" : "page_token";
    if (name == "cursormark") name = "cursorMark";
    if (name.empty()) name = "cursor";
    parameters.push_back({name, "${page.token}", "the address has none: is it called so?"});
  }
  AddSize(page, parameters, keys);
  return keys;
}

// An answer that counts its pages is asked for by their numbers, whatever the parameter is called.
std::optional<std::vector<GuessedKey>> ByCountedPages(const LookedAtPage& page,
                                                      const std::vector<LooseValue>& loose,
                                                      std::vector<GuessedParameter>& parameters) {
  const auto whole = [](const LooseValue& found) {
    return WholeIn(ScalarIn(*found.value).value_or(""));
  };
  const auto pages = std::ranges::find_if(loose, [&](const LooseValue& found) {
    return NamesPages(PlainName(found.name())) && whole(found).value_or(0) > 1;
  });
  if (pages == loose.end()) return std::nullopt;
  const auto number = std::ranges::find_if(loose, [&](const LooseValue& found) {
    return IsAmongNames(kPageNames, found.name()) && whole(found).value_or(2) <= 1;
  });
  const auto first = number == loose.end() ? 1 : *whole(*number);
  const auto name = number == loose.end() ? std::string("page") : number->name();
  std::vector<GuessedKey> keys{
      {"style", "page",
       fmt::format("the answer says '{}': {}", pages->name(), *ScalarIn(*pages->value))},
      {"first_page", fmt::to_string(first)}};
  parameters.push_back({name, "${page.number}", "the address has none: is it called so?"});
  AddSize(page, parameters, keys);
  return keys;
}

// Nothing is known that leads on. Where the answer tells of more than it brought, that has to be found out.
std::vector<GuessedKey> ByNothing(const LookedAtPage& page,
                                  std::vector<GuessedParameter>& parameters) {
  std::vector<JsonPath::Step> items(page.list.steps.begin(), page.list.steps.end());
  const std::string none;
  const auto more =
      WhatLeadsOn(Node(page.answer.content), {.status = 200, .headers = page.headers, .body = none},
                  {.in_link_header = true,
                   .items = items,
                   .shown = static_cast<std::int64_t>(page.list.records.size())});
  const auto why =
      more.empty()
          ? std::string("neither address nor answer tell of other pages: this is all there is")
          : fmt::format(
                "{} came, and the answer has {}: there is more, and how to ask for it has "
                "to be found out",
                page.list.records.size(), more);
  std::vector<GuessedKey> keys;
  if (page.list.steps.empty() && !page.answer.is_xml) {
    keys = {{"style", "url", why}, {"link_header", "true"}};
  } else {
    keys = {
        {"style", "token", why},
        {"next", YamlText(page.answer.is_xml ? PathFromRoot(page.answer, {"next"}) : "$.next")}};
    parameters.push_back({"cursor", "${page.token}", "not sent unless an answer has `next`"});
  }
  AddSize(page, parameters, keys);
  return keys;
}

// A date in a text, as ISO 8601 has it.
struct DateInText {
  std::size_t at = 0;
  std::size_t size = 0;
  bool has_time = false;
  bool has_zone = false;
};

bool FitsShape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '9' ? !IsDigit(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

std::vector<DateInText> DatesIn(std::string_view text) {
  std::vector<DateInText> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto rest = text.substr(at);
    if (!FitsShape(rest, "9999-99-99") || (at > 0 && IsDigit(text[at - 1]))) continue;
    DateInText date{.at = at, .size = 10};
    if (FitsShape(rest.substr(10), "T99:99:99")) {
      date.has_time = true;
      date.size = 19;
      date.has_zone = rest.substr(19).starts_with('Z');
      if (date.has_zone) ++date.size;
    }
    found.push_back(date);
    at += date.size;
  }
  return found;
}

std::string MomentTemplate(const DateInText& date, std::string_view end) {
  if (!date.has_time) return fmt::format("${{window.{} | formatDateTime('iso_date')}}", end);
  if (date.has_zone) return fmt::format("${{window.{}}}", end);
  return fmt::format("${{window.{} | formatDateTime(\"yyyy-MM-dd'T'HH:mm:ss\")}}", end);
}

bool IsEndName(std::string_view name) {
  std::string word;
  const auto ends_window = [&] { return std::ranges::find(kEndWords, word) != kEndWords.end(); };
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (IsLetter(c) && !is_upper) {
      word += c;
      continue;
    }
    if (ends_window()) return true;
    word = is_upper ? std::string(1, ToLower(c)) : "";
  }
  return ends_window() || word == "maxdate" || word == "enddate" || word == "todate";
}

// Where the ends of a window stand in the address.
struct WindowPlaces {
  struct At {
    GuessedParameter* parameter = nullptr;
    DateInText date{};
  };
  At from{};
  At to{};
};

WindowPlaces FindWindow(std::vector<GuessedParameter>& parameters) {
  WindowPlaces places;
  for (auto& parameter : parameters) {
    const auto dates = parameter.why.empty() ? DatesIn(parameter.value) : std::vector<DateInText>{};
    if (dates.size() == 2) return {{&parameter, dates[0]}, {&parameter, dates[1]}};
    if (dates.size() != 1) continue;
    auto& end = IsEndName(parameter.name) ? places.to : places.from;
    if (end.parameter == nullptr) end = {&parameter, dates[0]};
  }
  return places;
}

}  // namespace

std::string YamlText(std::string_view text) {
  const auto is_plain = [](char c) {
    return IsLetter(c) || IsDigit(c) || std::string_view("_.$/-").find(c) != std::string_view::npos;
  };
  const bool may_stand = !text.empty() && !IsDigit(text.front()) && text.front() != '-' &&
                         text.front() != '.' && std::ranges::all_of(text, is_plain) &&
                         text != "true" && text != "false" && text != "null" && text != "none";
  return may_stand ? std::string(text) : PrintJson(Value(text));
}

std::vector<GuessedParameter> ParametersOf(const Url& url) {
  std::vector<GuessedParameter> parameters;
  const std::string_view query = url.query;
  for (std::size_t from = 0; from < query.size();) {
    const auto end = std::min(query.find('&', from), query.size());
    const auto pair = query.substr(from, end - from);
    const auto equals = std::min(pair.find('='), pair.size());
    if (!pair.empty())
      parameters.push_back({DecodedPart(pair.substr(0, equals)),
                            DecodedPart(pair.substr(std::min(equals + 1, pair.size())))});
    from = end + 1;
  }
  return parameters;
}

std::vector<GuessedKey> GuessPaging(const LookedAtPage& page,
                                    std::vector<GuessedParameter>& parameters) {
  std::vector<GuessedKey> keys;
  const auto loose = LooseValues(page.answer);
  const auto* link = FindHeader(page.headers, "Link");
  if (link != nullptr && NextLink(*link)) {
    keys = {{"style", "url", "the header Link has rel=next"}, {"link_header", "true"}};
    AddSize(page, parameters, keys);
    return keys;
  }
  if (const auto atom = AtomNext(page.answer)) {
    keys = {{"style", "url", "the answer has a link with rel=next"}, {"next", YamlText(*atom)}};
    AddSize(page, parameters, keys);
    return keys;
  }
  if (const auto listed = ListedNext(page.answer, page.answer.content, {})) {
    keys = {{"style", "url", "the answer has a list of links, one of them the next"},
            {"next", PrintJson(Value(*listed))}};
    AddSize(page, parameters, keys);
    return keys;
  }
  const bool has_token_parameter = FindParameter(kTokenNames, false, parameters) != nullptr;
  const auto* token = FindNext(loose, kNextTokens, false);
  const auto* next = FindNext(loose, kNextLinks, true);
  if (token != nullptr && (has_token_parameter || next == nullptr))
    return ByToken(page, *token, parameters);
  if (next != nullptr) {
    keys = {{"style", "url", fmt::format("'{}' is an address", next->name())},
            {"next", YamlText(PathFromRoot(page.answer, next->steps))}};
    AddSize(page, parameters, keys);
    return keys;
  }
  if (auto* number = FindParameter(kPageNames, true, parameters)) {
    keys = {{"style", "page", fmt::format("the address has '{}'", number->name)},
            {"first_page", number->value == "0" ? "0" : "1"}};
    number->value = "${page.number}";
    number->why = "the number of the page";
    AddSize(page, parameters, keys);
    return keys;
  }
  if (auto* offset = FindParameter(kOffsetNames, true, parameters)) {
    keys = {{"style", "offset", fmt::format("the address has '{}'", offset->name)}};
    offset->value = "${page.offset}";
    offset->why = "how many records to skip";
    AddSize(page, parameters, keys);
    return keys;
  }
  if (auto counted = ByCountedPages(page, loose, parameters)) return *std::move(counted);
  return ByNothing(page, parameters);
}

std::optional<GuessedTotal> GuessTotal(const LookedAtPage& page) {
  const auto came = static_cast<std::int64_t>(page.list.records.size());
  const auto loose = LooseValues(page.answer);
  for (const auto name : TotalNames()) {
    for (const auto& found : loose) {
      // {"total": {"value": 12}} is named by what holds it.
      const auto own = PlainName(found.name());
      const bool is_held = own == "value" && found.steps.size() > 1;
      const auto called = is_held ? PlainName(found.steps[found.steps.size() - 2]) : own;
      const auto number =
          called == name ? WholeIn(ScalarIn(*found.value).value_or("")) : std::nullopt;
      // As many as came may be the size of the page.
      const bool is_of_page = name == "count" && number == came;
      if (!number || *number < came || is_of_page) continue;
      return GuessedTotal{
          .text = YamlText(PathFromRoot(page.answer, found.steps)),
          .why = fmt::format("{} of which {} came; `is: estimate` where it is not exact", *number,
                             came)};
    }
  }
  if (const auto* header = FindHeader(page.headers, "X-Total-Count"); header && WholeIn(*header))
    return GuessedTotal{
        .text = "{is: exact}", .why = "the header X-Total-Count has it", .in_header = true};
  return std::nullopt;
}

std::vector<GuessedKey> GuessWindow(std::vector<GuessedParameter>& parameters,
                                    const std::string& dated_by) {
  const auto [from, to] = FindWindow(parameters);
  if (from.parameter == nullptr || to.parameter == nullptr) {
    return {{"filter", "none",
             "the address has no two dates between which records changed: every harvest reads the "
             "whole list"}};
  }
  const auto start = from.parameter->value.substr(from.date.at, 10);
  // The later one first, so that the places of the earlier one stay what they are.
  to.parameter->value.replace(to.date.at, to.date.size, MomentTemplate(to.date, "to"));
  to.parameter->why = "where the window ends";
  from.parameter->value.replace(from.date.at, from.date.size, MomentTemplate(from.date, "from"));
  from.parameter->why = from.parameter == to.parameter ? "the window" : "where the window begins";
  std::vector<GuessedKey> keys{{"by", YamlText(dated_by), "the date that the address filters by"},
                               {"start", start, "where the first harvest begins"}};
  if (!from.date.has_time) {
    keys.insert(keys.end(), {{"granularity", "day", "the address has days"},
                             {"ends", "inclusive", "days usually belong to what is asked for"},
                             {"align", "1d"},
                             {"safety_lag", "1d", "how late a record may show up"},
                             {"width", "1d..7d..30d"}});
  } else {
    keys.insert(keys.end(), {{"granularity", "second", "the address has seconds"},
                             {"safety_lag", "10m", "how late a record may show up"},
                             {"width", "1h..1d..30d"}});
  }
  return keys;
}

}  // namespace patra::domain
