// What some providers want that no key of a definition can say: code, by name, because a definition is none. All hooks stand in one
// table (provider_hooks.cc). They are pure, answer with no more bytes than they got, and what they cannot do is an error: a hook
// leaves nothing out without a word.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/page/page_answer.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Changes the address of a request after it was rendered and before it is signed.
struct RequestHook {
  std::string_view name;
  Result<std::string> (*address)(std::string url);
};

// Takes the document out of what an answer wraps it in.
struct ResponseHook {
  std::string_view name;
  Result<std::string> (*document)(std::string_view body);
};

// The end of a page, for those who go on from there.
struct PageEnd {
  std::size_t rows = 0;
  std::optional<std::string> last_id{};  // nothing where the last row has none
};

// Finds what leads on, or what announces the total, where no path can.
struct PagingHook {
  std::string_view name;
  std::optional<std::string> (*total)(const PageAnswer& answer) = nullptr;  // as text
  Result<std::optional<std::string>> (*next)(const PageEnd& end) = nullptr;
};

// kNotFound, with the names that there are, for a hook that nobody wrote.
Result<const RequestHook*> FindRequestHook(std::string_view name);
Result<const ResponseHook*> FindResponseHook(std::string_view name);
Result<const PagingHook*> FindPagingHook(std::string_view name);

// Whether totals, or tokens, come from the paging hook and from no path.
bool HookGivesTotal(const std::optional<HookSpec>& hooks);
bool HookGivesNext(const std::optional<HookSpec>& hooks);

}  // namespace patra::domain
