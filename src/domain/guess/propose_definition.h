// A definition to start from, for an address whose answer was looked at: what it cannot know it guesses, and says so at each guess.
#pragma once

#include <optional>
#include <string>

#include "base/url.h"
#include "domain/guess/guess_paging.h"

namespace patra::domain {

struct LookedAtAddress {
  std::string source;  // its name
  Url url;
  // Parameters of the address that hold credentials: they become references, and their values stand nowhere.
  std::vector<std::string> secret_parameters{};
  AnswerHeaders headers{};
  const ParsedAnswer& answer;
};

struct Proposal {
  std::string text;  // YAML that holds together (`source check`)
  // What of the address stands in it, or is left out, and should be looked at.
  std::vector<std::string> notes{};
};

// An error where there are no records to guess from.
Result<Proposal> ProposeDefinition(const LookedAtAddress& seen);

// The few lines of a definition that extends one of a known kind.
struct KnownKind {
  std::string source;
  std::string extends;
  std::string name;
  Url url;  // without its query
  std::vector<std::pair<std::string, std::string>> params{};
};
std::string ExtendingDefinition(const KnownKind& kind);

}  // namespace patra::domain
