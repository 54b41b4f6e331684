// Foreign text where something might obey it: a terminal, a spreadsheet, a shell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace patra {

// Whether the character is obeyed rather than shown: C0, DEL, C1, the separators of lines and paragraphs, and what
// turns the direction of text, by which one name can look like another.
bool IsControlCharacter(char32_t character);

// The text with every control character spelled out, as in \u001b: inside a JSON string that means the same. Line
// feeds and tabs stay, and so do carriage returns before a line feed. Bytes that are no UTF-8 become U+FFFD.
std::string Spelled(std::string_view text);

// The same of text that comes in pieces: appends to `out` what is known by now, and yields how many bytes that was.
// The rest, at most three bytes, waits for more.
std::size_t AppendSpelled(std::string_view text, std::string& out);

// For one line of a table or a summary: line feeds, tabs and carriage returns are spelled out as well.
std::string SpelledOnOneLine(std::string_view text);

// One cell's text for a spreadsheet. What it would take for a formula is prefixed with an apostrophe, unless it is a
// number; control characters but tabs and the ends of lines become U+FFFD.
std::string ForSpreadsheet(std::string_view text);

// One word for a POSIX shell, as a person would type it; with control characters as $'\033', which bash, zsh and ksh
// know.
std::string ForShell(std::string_view text);

}  // namespace patra
