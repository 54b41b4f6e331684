#include "domain/page/paging_words.h"

#include <algorithm>
#include <array>

#include "base/text_scanner.h"

namespace patra::domain {
namespace {

using Words = std::span<const std::string_view>;

constexpr auto kTotals = std::to_array<std::string_view>(
    {"total", "totalresults", "totalcount", "totalhits", "numfound", "hitcount", "totalelements",
     "totalrecords", "recordstotal", "resultcount", "totalitems", "nbhits", "odatacount",
     "completelistsize", "numbermatched", "totalsize", "totalrows", "recordsfiltered", "count"});

bool IsAmong(Words words, std::string_view plain) {
  return std::ranges::find(words, plain) != words.end();
}

bool HasAny(std::string_view plain, Words parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return plain.find(part) != std::string_view::npos; });
}

}  // namespace

std::string PlainName(std::string_view name) {
  const auto prefix = name.rfind(':');
  std::string plain;
  for (const char c : name.substr(prefix == std::string_view::npos ? 0 : prefix + 1)) {
    if (IsLetter(c) || IsDigit(c)) plain += ToLower(c);
  }
  return plain;
}

// "next_update" is a date, and "access_token" another kind of token: so the words are named.
bool NamesNext(std::string_view plain) {
  static constexpr auto kNext = std::to_array<std::string_view>(
      {"nextpage",   "nextcursor", "nexttoken",       "nextlink",    "nexturl",      "nexturi",
       "nexthref",   "nextoffset", "nextstart",       "nextmark",    "nextkey",      "nextset",
       "nextrecord", "nextbatch",  "nextresult",      "nextcontinu", "nextposition", "continu",
       "resumption", "scrollid",   "lastevaluatedkey"});
  static constexpr auto kWhole = std::to_array<std::string_view>(
      {"next", "cursor", "marker", "bookmark", "iterator", "searchafter"});
  // What leads on in time, or back, is no page of this list.
  static constexpr auto kOtherTokens =
      std::to_array<std::string_view>({"access", "auth", "csrf", "xsrf", "session", "refresh",
                                       "idtoken", "security", "sync", "delta", "prev"});
  if (IsAmong(kWhole, plain) || HasAny(plain, kNext)) return true;
  return plain.find("token") != std::string_view::npos && !HasAny(plain, kOtherTokens);
}

bool NamesPlaceOfPage(std::string_view plain) { return plain == "after" || plain == "endcursor"; }

bool PromisesMore(std::string_view plain) {
  static constexpr auto kMore = std::to_array<std::string_view>(
      {"hasmore", "hasnext", "istruncated", "resultstruncated", "moreresults", "morepages",
       "moreitems", "morerecords", "moredata", "moreavailable", "exceededtransferlimit"});
  return plain == "more" || plain == "truncated" || HasAny(plain, kMore);
}

bool NamesEnd(std::string_view plain) {
  static constexpr auto kEnds = std::to_array<std::string_view>(
      {"last", "complete", "iscomplete", "completed", "done", "isdone", "finished", "isfinished",
       "end", "isend", "final", "isfinal", "endoflist", "endofresults", "endofdata", "nomore",
       "exhausted"});
  return NamesLastPage(plain) || IsAmong(kEnds, plain);
}

bool NamesLastPage(std::string_view plain) { return plain == "islast" || plain == "islastpage"; }

std::span<const std::string_view> TotalNames() { return kTotals; }

bool NamesTotal(std::string_view plain) {
  // What DataTables calls so counts what no filter has seen.
  return plain != "recordstotal" && IsAmong(kTotals, plain);
}

bool NamesPages(std::string_view plain) {
  static constexpr auto kPages = std::to_array<std::string_view>(
      {"pages", "totalpages", "pagecount", "pagescount", "numpages", "nbpages", "numberofpages",
       "lastpage", "pagestotal", "totalpage", "pagetotal"});
  return IsAmong(kPages, plain);
}

bool NamesRest(std::string_view plain) {
  static constexpr auto kRest = std::to_array<std::string_view>(
      {"remaining", "remainingcount", "remainingitems", "remainingresults", "remainingrecords",
       "resultsremaining", "itemsremaining"});
  return IsAmong(kRest, plain);
}

}  // namespace patra::domain
