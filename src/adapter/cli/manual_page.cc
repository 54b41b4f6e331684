// The same pages as troff: man(7) is all that is used, so that every man program shows them.
#include "adapter/cli/help_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"

namespace patra::adapter::cli {
namespace {

// No text is a request: not at the beginning of a line, and no backslash in it. What is beyond ASCII is named, for not
// every troff reads UTF-8.
std::string Troff(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    const char c = text[at];
    at += std::max<std::size_t>(character.length, 1);
    if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
    if (character.length > 1) {
      out += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(character.code_point));
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Upper(std::string text) {
  for (auto& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string Rows(const HelpSection& section, std::string_view macro) {
  auto text = fmt::format(".{} \"{}\"\n", macro, Troff(section.title));
  for (const auto& row : section.rows)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", Troff(row.name), Troff(row.about));
  return text;
}

}  // namespace

std::string ManualHeader(const std::string& name, const std::string& about) {
  return fmt::format(".TH {} 1 \"\" \"patra " PATRA_VERSION "\" \"patra\"\n.SH NAME\n{} \\- {}\n",
                     Upper(Troff(name)), Troff(name), Troff(about));
}

std::string PrintManual(const HelpPage& page) {
  auto text = fmt::format(
      ".SH SYNOPSIS\n\\fB{}\\fR\n.SH DESCRIPTION\n{}.\n", Troff(page.usage),
      Troff(page.about.ends_with('.') ? page.about.substr(0, page.about.size() - 1) : page.about));
  for (const auto& section : page.sections)
    text += Rows({Upper(section.title), section.rows}, "SH");
  if (!page.inherited.rows.empty())
    text += Rows({Upper(page.inherited.title), page.inherited.rows}, "SH");
  if (!page.exits.empty()) {
    text += ".SH \"EXIT STATUS\"\n";
    for (const auto& [code, meaning] : page.exits)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", code, Troff(meaning));
  }
  if (!page.examples.empty()) {
    text += ".SH EXAMPLES\n.nf\n";
    for (const auto& example : page.examples) text += Troff(example) + "\n";
    text += ".fi\n";
  }
  return text;
}

}  // namespace patra::adapter::cli
