#include "domain/guess/source_name.h"

#include "base/text_scanner.h"

namespace patra::domain {

std::string SourceNameOf(const Url& url) {
  constexpr std::size_t kNameBytesUsual = 56;  // room for a number behind it
  std::string name;
  auto origin = url.Origin().substr(url.scheme.size() + 3);
  if (origin.starts_with("www.")) origin = origin.substr(4);
  for (const char c : origin) {
    const bool is_kept = IsLetter(c) || IsDigit(c);
    if (is_kept) name += ToLower(c);
    if (!is_kept && !name.empty() && name.back() != '-') name += '-';
  }
  name = name.substr(0, kNameBytesUsual);
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "source" : name;
}

}  // namespace patra::domain
