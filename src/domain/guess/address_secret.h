// Which parts of an address that somebody typed are better not written into a file? Names tell, and so do values that nobody
// makes up. Both may be wrong: who acts on it says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace patra::domain {

// Long, of letters and digits without a word among them: a key, a signature, or an id.
bool LooksRandom(std::string_view text);

// Why the value of a parameter may be a credential, for people; nothing where nothing speaks for that.
std::optional<std::string> WhyCredential(std::string_view name, std::string_view value);

// The first part of a path that looks random, as "part 2 of the path".
std::optional<std::string> RandomPartOf(std::string_view path);

}  // namespace patra::domain
