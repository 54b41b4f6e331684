#include "infra/mysql/localise.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace patra::infra::mysql {
namespace {

struct Token {
  std::string text;
  bool is_word = false;  // or a number
};
using Tokens = std::vector<Token>;

bool IsWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool IsBlank(const Token& token) {
  return std::isspace(static_cast<unsigned char>(token.text.front())) != 0;
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

bool Is(const Token& token, std::string_view word) {
  return token.is_word && Upper(token.text) == word;
}

// One piece of the text from `begin` on: a quoted text, a parameter with its colon, a word, blanks, or one other byte.
// Comments are left out.
std::size_t EndOfPiece(std::string_view sql, std::size_t begin) {
  const auto from = [&](auto belongs) {
    std::size_t end = begin + 1;
    while (end < sql.size() && belongs(sql[end])) ++end;
    return end;
  };
  const char first = sql[begin];
  if (first == '\'' || first == '"')
    return std::min(sql.find(first, begin + 1), sql.size() - 1) + 1;
  if (first == '-' && begin + 1 < sql.size() && sql[begin + 1] == '-')
    return std::min(sql.find('\n', begin), sql.size());
  if (first == ':' || IsWordByte(first)) return from(IsWordByte);
  if (std::isspace(static_cast<unsigned char>(first)) != 0)
    return from([](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return begin + 1;
}

Tokens Split(std::string_view sql) {
  Tokens tokens;
  for (std::size_t begin = 0; begin < sql.size();) {
    const auto end = EndOfPiece(sql, begin);
    const auto piece = sql.substr(begin, end - begin);
    if (!piece.starts_with("--")) tokens.push_back({std::string(piece), IsWordByte(piece.front())});
    begin = end;
  }
  return tokens;
}

// The next token behind `at` that is no blank; tokens.size() where there is none.
std::size_t After(const Tokens& tokens, std::size_t at) {
  do ++at;
  while (at < tokens.size() && IsBlank(tokens[at]));
  return std::min(at, tokens.size());
}

bool AreWords(const Tokens& tokens, std::size_t at, std::initializer_list<std::string_view> words) {
  for (const auto word : words) {
    if (at >= tokens.size() || !Is(tokens[at], word)) return false;
    at = After(tokens, at);
  }
  return true;
}

// Where the parenthesis that opens at `open` closes.
std::size_t Closing(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < tokens.size(); ++at) {
    if (tokens[at].text == "(") ++depth;
    if (tokens[at].text == ")" && --depth == 0) return at;
  }
  return tokens.size();
}

bool HasSeveralArguments(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < Closing(tokens, open); ++at) {
    if (tokens[at].text == "(") ++depth;
    if (tokens[at].text == ")") --depth;
    if (tokens[at].text == "," && depth == 1) return true;
  }
  return false;
}

// SQLite's max(a, b) is no aggregate.
void NameLargerAndSmaller(Tokens& tokens) {
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool is_max = Is(tokens[at], "MAX");
    if ((is_max || Is(tokens[at], "MIN")) && tokens[at + 1].text == "(" &&
        HasSeveralArguments(tokens, at + 1))
      tokens[at].text = is_max ? "GREATEST" : "LEAST";
  }
}

// A text that stands in a document comes with its quotation marks otherwise.
void UnquoteWhatIsExtracted(Tokens& tokens) {
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!Is(tokens[at], "JSON_EXTRACT")) continue;
    tokens[at].text = "JSON_UNQUOTE(JSON_EXTRACT";
    tokens[Closing(tokens, at + 1)].text += ")";
  }
}

void NameTypes(Tokens& tokens) {
  constexpr std::array<std::array<std::string_view, 2>, 3> kTypes{
      {{"TEXT", "CHAR"}, {"INTEGER", "SIGNED"}, {"REAL", "DOUBLE"}}};
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!Is(tokens[at], "AS")) continue;
    const auto type = After(tokens, at);
    if (type >= tokens.size() || After(tokens, type) >= tokens.size() ||
        tokens[After(tokens, type)].text != ")")
      continue;
    for (const auto& [ours, theirs] : kTypes) {
      if (Is(tokens[type], ours)) tokens[type].text = theirs;
    }
  }
}

// What is not indexed goes by the primary key in SQLite.
void NameIndexes(Tokens& tokens) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (AreWords(tokens, at, {"NOT", "INDEXED"})) {
      tokens[After(tokens, at)].text = "INDEX (PRIMARY)";
      tokens[at].text = "FORCE";
    }
    if (!AreWords(tokens, at, {"INDEXED", "BY"})) continue;
    const auto by = After(tokens, at);
    auto& name = tokens[After(tokens, by)].text;
    tokens[at].text = "FORCE";
    tokens[by].text = "INDEX";
    name = "(" + name + ")";
  }
}

// `a IS :b`, where both may be absent.
void CompareWithAbsence(Tokens& tokens) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const auto next = After(tokens, at);
    if (Is(tokens[at], "IS") && next < tokens.size() && tokens[next].text.starts_with(':'))
      tokens[at] = {"<=>", false};
  }
}

// Of `INSERT INTO table`.
std::string TableOf(const Tokens& tokens) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (Is(tokens[at], "INTO")) return tokens[After(tokens, at)].text;
  }
  return {};
}

void ReplaceExcluded(Tokens& tokens) {
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    if (!Is(tokens[at], "EXCLUDED") || tokens[at + 1].text != ".") continue;
    tokens[at].text = "VALUES(" + tokens[at + 2].text + ")";
    tokens[at + 1].text = tokens[at + 2].text = " ";
  }
}

// `ON CONFLICT (columns) WHERE condition DO …`: MySQL goes by every key there is, so columns and condition have no place.
void MeetDuplicates(Tokens& tokens, Localised& localised) {
  std::size_t at = 0;
  while (at < tokens.size() && !AreWords(tokens, at, {"ON", "CONFLICT"})) ++at;
  if (at == tokens.size()) return;
  auto act = at;
  while (act < tokens.size() && !Is(tokens[act], "DO")) ++act;
  const auto target = After(tokens, After(tokens, at));
  const auto column =
      tokens[target].text == "(" ? tokens[After(tokens, target)].text : std::string();
  const bool is_update = AreWords(tokens, act, {"DO", "UPDATE"});
  const auto last = is_update ? After(tokens, After(tokens, act)) : After(tokens, act);
  const bool is_of_rows =
      std::ranges::any_of(tokens, [](const Token& token) { return Is(token, "SELECT"); });

  std::string instead;
  if (is_update) {
    localised.updates_duplicates = true;
    instead = "ON DUPLICATE KEY UPDATE";
  } else if (is_of_rows) {
    // One row that is there must not keep the others out.
    const auto table = TableOf(tokens);
    instead = "ON DUPLICATE KEY UPDATE " + table + "." + column + " = " + table + "." + column;
  } else {
    localised.skips_duplicates = true;
  }
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at),
               tokens.begin() + static_cast<std::ptrdiff_t>(std::min(last + 1, tokens.size())));
  if (!instead.empty())
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), {instead, false});
  ReplaceExcluded(tokens);
}

}  // namespace

std::string Localised::For(const Shape& shape) const {
  if (list_begin > 0) {
    auto with_list = text.substr(0, list_begin) + "(?";
    for (std::size_t i = 1; i < shape.list; ++i) with_list += ",?";
    return with_list + ")";
  }
  if (shape.rows == 1) return text;
  if (row_end == 0) {
    auto queries = "(" + text + ")";
    for (std::size_t i = 1; i < shape.rows; ++i) queries.append(" UNION ALL (").append(text) += ")";
    return queries;
  }
  const auto row = std::string_view(text).substr(row_begin, row_end - row_begin);
  std::string several = text.substr(0, row_end);
  for (std::size_t i = 1; i < shape.rows; ++i) several.append(", ").append(row);
  return several + text.substr(row_end);
}

std::size_t Localised::PlacesFor(const Shape& shape) const {
  return names.size() * shape.rows + shape.list;
}

Localised Localise(std::string_view sql) {
  Localised localised;
  auto tokens = Split(sql);
  NameLargerAndSmaller(tokens);
  UnquoteWhatIsExtracted(tokens);
  NameTypes(tokens);
  NameIndexes(tokens);
  CompareWithAbsence(tokens);
  MeetDuplicates(tokens, localised);

  std::optional<std::size_t> row_ends_at;  // which token
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const auto& token = tokens[at];
    if (Is(token, "VALUES") && !row_ends_at && localised.row_end == 0) {
      const auto open = After(tokens, at);
      row_ends_at = Closing(tokens, open);
      localised.text += "VALUES ";
      at = open - 1;
      localised.row_begin = localised.text.size();
      continue;
    }
    const bool is_parameter = token.text.size() > 1 && token.text.front() == ':';
    if (is_parameter) localised.names.push_back(token.text.substr(1));
    if (token.text == "?") {
      localised.list_begin = localised.text.rfind('(');
      break;
    }
    localised.text += is_parameter ? "?" : token.text;
    if (at == row_ends_at) localised.row_end = localised.text.size();
  }
  return localised;
}

}  // namespace patra::infra::mysql
