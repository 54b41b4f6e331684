// How does one come from a page of an answer that nobody described to the next, and which of its dates are a window?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/url.h"
#include "domain/guess/record_list.h"
#include "domain/page/page_answer.h"

namespace patra::domain {

// A parameter of the address, taken apart; `value` becomes a template where a guess needs one.
struct GuessedParameter {
  std::string name;
  std::string value;
  std::string why{};  // of a template
};
std::vector<GuessedParameter> ParametersOf(const Url& url);

// One line of YAML: a key, its value as it is written, and why.
struct GuessedKey {
  std::string name;
  std::string text;
  std::string why{};
};

using AnswerHeaders = std::span<const std::pair<std::string, std::string>>;

struct LookedAtPage {
  const ParsedAnswer& answer;
  const RecordList& list;
  AnswerHeaders headers;
  Url url;
};

// The keys of `paging`; parameters that say the place become templates.
std::vector<GuessedKey> GuessPaging(const LookedAtPage& page,
                                    std::vector<GuessedParameter>& parameters);

struct GuessedTotal {
  std::string text;  // as `response.total` has it
  std::string why;
  bool in_header = false;  // X-Total-Count: a hook reads it
};
std::optional<GuessedTotal> GuessTotal(const LookedAtPage& page);

// The keys of `window`; dates of the address that are its ends become templates.
std::vector<GuessedKey> GuessWindow(std::vector<GuessedParameter>& parameters,
                                    const std::string& dated_by);

// A scalar of YAML, in quotes where it needs them.
std::string YamlText(std::string_view text);

}  // namespace patra::domain
