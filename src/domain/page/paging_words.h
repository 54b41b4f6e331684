// The words by which providers say, outside of all records, where a list goes on, how long it is, and whether this is its end.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace patra::domain {

// A name without what spellings differ in: "next-cursor", "nextCursor" and "next_cursor" are "nextcursor".
std::string PlainName(std::string_view name);

// All of these take plain names.

// A token or an address that stands there leads to the next page.
bool NamesNext(std::string_view plain);
// The same, by a name that stands on the last page of many providers, too.
bool NamesPlaceOfPage(std::string_view plain);

// Where it says true, there is more; false: there is none.
bool PromisesMore(std::string_view plain);
// Where it says false, there is more.
bool NamesEnd(std::string_view plain);
// The same, and nothing but a list can be meant: where it says true, there is no more.
bool NamesLastPage(std::string_view plain);

// Numbers: how many records there are in all, the surest names first; how many pages; how many records are left.
std::span<const std::string_view> TotalNames();
bool NamesTotal(std::string_view plain);
bool NamesPages(std::string_view plain);
bool NamesRest(std::string_view plain);

}  // namespace patra::domain
