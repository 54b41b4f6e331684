// I-Regexp is parsed by its own grammar and written again as RE2 understands it. Handing the
// pattern to RE2 as it is would be wrong in both directions: RE2 takes \d, (?i) and lazy
// quantifiers, which I-Regexp does not have, its dot matches \r, and it knows neither \p{Cn} nor
// counts above 1,000. ^ and $ are anchors, as in every implementation that people compare with; RFC
// 9485 has no anchors and leaves both to be read as characters, which nobody does.
#include "base/i_regexp.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/utf8.h"

namespace patra {
namespace {

constexpr std::size_t kPatternBytesMax = 16 << 10;
constexpr std::size_t kEmittedBytesMax = 256 << 10;
constexpr std::int64_t kMemoryMax = 2 << 20;
constexpr int kNestingMax = 100;
constexpr unsigned kCountMax = 100'000;
constexpr unsigned kRe2CountMax = 1'000;

// Every category that a character can have, but Cn: what has none of them is unassigned. (Cs are
// the surrogates, which no string contains.)
constexpr std::string_view kAssignedButOthers = R"(\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z})";
constexpr std::string_view kOthersButUnassigned = R"(\p{Cc}\p{Cf}\p{Co})";

std::string Literal(char32_t c) {
  const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return plain ? std::string(1, static_cast<char>(c))
               : fmt::format("\\x{{{:x}}}", static_cast<unsigned>(c));
}

// The unassigned characters as ranges that may stand inside a class, taken from RE2's own tables so
// that \p{Cn} and the other categories agree.
const std::string& UnassignedRanges() {
  static const std::string ranges = [] {
    std::string every_character;
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
      if (c < 0xD800 || c > 0xDFFF) AppendUtf8(c, every_character);
    }
    const re2::RE2 run(fmt::format("([^{}{}]+)", kAssignedButOthers, kOthersButUnassigned));
    std::string found;
    re2::StringPiece rest(every_character);
    re2::StringPiece match;
    while (re2::RE2::FindAndConsume(&rest, run, &match)) {
      // A run may jump over the surrogates, which have no UTF-8; that does no harm.
      const std::string_view text(match.data(), match.size());
      auto last = text.size() - 1;
      while ((static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
      found += fmt::format("{}-{}", Literal(DecodeUtf8(text, 0).code_point),
                           Literal(DecodeUtf8(text, last).code_point));
    }
    return found;
  }();
  return ranges;
}

// Follows the grammar of RFC 9485 §3, production by production, and builds the RE2 pattern.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  Result<std::string> Run() {
    if (pattern_.size() > kPatternBytesMax) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("a pattern of {} bytes is longer than the limit of {}",
                              pattern_.size(), kPatternBytesMax));
    }
    if (const auto bad = FindInvalidUtf8(pattern_); bad != std::string_view::npos) {
      at_ = bad;
      return Wrong("a byte that is not valid UTF-8");
    }
    auto translated = PATRA_TRY(Alternatives(0));
    if (at_ < pattern_.size()) return Wrong("')' without '('");
    return translated;
  }

 private:
  std::unexpected<Error> Wrong(std::string message, std::string hint = {}) const {
    return Fail(ErrorCode::kInvalidInput, fmt::format("not an I-Regexp: {}", message),
                {.column = static_cast<int>(at_) + 1}, std::move(hint));
  }

  std::unexpected<Error> TooLarge() const {
    return Fail(ErrorCode::kLimit, "the pattern needs too much memory",
                {.column = static_cast<int>(at_) + 1}, "use smaller counts or fewer groups");
  }

  bool AtEnd() const { return at_ >= pattern_.size(); }
  bool Next(char c) const { return !AtEnd() && pattern_[at_] == c; }
  bool Take(char c) {
    if (!Next(c)) return false;
    ++at_;
    return true;
  }
  char32_t TakeCharacter() {
    const auto character = DecodeUtf8(pattern_, at_);
    at_ += character.length;
    return character.code_point;
  }

  // i-regexp = branch *( "|" branch )
  Result<std::string> Alternatives(int nesting) {
    if (nesting > kNestingMax) return TooLarge();
    std::string out;
    while (true) {
      while (!AtEnd() && !Next('|') && !Next(')')) {
        out += PATRA_TRY(Piece(nesting));
        if (out.size() > kEmittedBytesMax) return TooLarge();
      }
      if (!Take('|')) return out;
      out += '|';
    }
  }

  // piece = atom [ quantifier ]
  Result<std::string> Piece(int nesting) {
    auto atom = PATRA_TRY(Atom(nesting));
    if (Take('*')) return atom + '*';
    if (Take('+')) return atom + '+';
    if (Take('?')) return atom + '?';
    if (Take('{')) return Counted(atom);
    return atom;
  }

  Result<unsigned> Count() {
    if (AtEnd() || pattern_[at_] < '0' || pattern_[at_] > '9') return Wrong("a count is missing");
    unsigned count = 0;
    for (; !AtEnd() && pattern_[at_] >= '0' && pattern_[at_] <= '9'; ++at_) {
      count = count * 10 + static_cast<unsigned>(pattern_[at_] - '0');
      if (count > kCountMax) return TooLarge();
    }
    return count;
  }

  // range-quantifier = "{" QuantExact [ "," [ QuantExact ] ] "}", behind the brace
  Result<std::string> Counted(const std::string& atom) {
    const unsigned least = PATRA_TRY(Count());
    std::optional<unsigned> most = least;
    if (Take(',')) {
      most.reset();
      if (!Next('}')) most = PATRA_TRY(Count());
    }
    if (most && *most < least) return Wrong("a count whose end is before its start");
    if (!Take('}')) return Wrong("a count without '}'");

    std::string out;
    const auto repeat = [&](unsigned from, unsigned to) {
      out += from == to ? fmt::format("{}{{{}}}", atom, to)
                        : fmt::format("{}{{{},{}}}", atom, from, to);
    };
    const auto chunks = (least + (most ? *most - least : 0)) / kRe2CountMax + 2;
    if (atom.size() * chunks > kEmittedBytesMax) return TooLarge();

    // x{2500,} is x{1000}x{1000}x{500}x*, and x{0,1500} is x{0,1000}x{0,500}.
    if (most && *most <= kRe2CountMax) {
      repeat(least, *most);
      return "(?:" + out + ")";
    }
    for (auto rest = least; rest > 0; rest -= std::min(rest, kRe2CountMax)) {
      repeat(std::min(rest, kRe2CountMax), std::min(rest, kRe2CountMax));
    }
    if (!most) {
      out += atom + '*';
    } else {
      for (auto rest = *most - least; rest > 0; rest -= std::min(rest, kRe2CountMax)) {
        repeat(0, std::min(rest, kRe2CountMax));
      }
    }
    return "(?:" + out + ")";
  }

  // atom = NormalChar / charClass / ( "(" i-regexp ")" )
  Result<std::string> Atom(int nesting) {
    switch (pattern_[at_]) {
      case '(': {
        const auto start = at_++;
        auto inner = PATRA_TRY(Alternatives(nesting + 1));
        if (!Take(')')) {
          at_ = start;
          return Wrong("'(' without ')'");
        }
        return "(?:" + inner + ")";
      }
      case '.':
        ++at_;
        return std::string(R"([^\n\r])");
      case '\\':
        return Escape();
      case '[':
        return Class();
      case '^':
        ++at_;
        return std::string(R"((?:\A))");
      case '$':
        ++at_;
        return std::string(R"((?:\z))");
      case '*':
      case '+':
      case '?':
      case '{':
        return Wrong(fmt::format("'{}' with nothing to repeat", pattern_[at_]),
                     "to match the character itself, put a backslash before it");
      case ']':
      case '}':
        return Wrong(fmt::format("'{}' alone", pattern_[at_]), "put a backslash before it");
      default:
        return Literal(TakeCharacter());
    }
  }

  // SingleCharEsc or charClassEsc, outside a class
  Result<std::string> Escape() {
    if (IsCategory()) {
      const auto category = PATRA_TRY(TakeCategory());
      if (category.name != "C" && category.name != "Cn") return category.InRe2();
      const bool wants_inside = category.negated;
      return fmt::format("[{}{}{}]", wants_inside ? "" : "^", kAssignedButOthers,
                         category.name == "Cn" ? kOthersButUnassigned : "");
    }
    return Literal(PATRA_TRY(SingleEscape()));
  }

  // SingleCharEsc
  Result<char32_t> SingleEscape() {
    const auto start = at_++;
    if (!AtEnd()) {
      const char c = pattern_[at_];
      constexpr std::string_view kThemselves = "()*+-.?[\\]^{|}";
      std::optional<char32_t> meant;
      if (kThemselves.find(c) != std::string_view::npos) meant = static_cast<char32_t>(c);
      if (c == 'n') meant = U'\n';
      if (c == 'r') meant = U'\r';
      if (c == 't') meant = U'\t';
      if (meant) {
        ++at_;
        return *meant;
      }
    }
    at_ = start;
    return Wrong("an escape that I-Regexp does not have",
                 R"(it has \n \r \t, \p{…} and \ before ()*+-.?[\]^{|}; the character $ is [$])");
  }

  struct Category {
    std::string name;  // "L", "Lu"
    bool negated = false;

    std::string InRe2() const { return fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', name); }
  };

  bool IsCategory() const {
    const auto rest = pattern_.substr(at_);
    return rest.starts_with("\\p") || rest.starts_with("\\P");
  }

  // charClassEsc
  Result<Category> TakeCategory() {
    struct Known {
      char letter;
      std::string_view details;
    };
    constexpr Known kKnown[] = {{'L', "lmotu"}, {'M', "cen"},  {'N', "dlo"}, {'P', "cdefios"},
                                {'Z', "lps"},   {'S', "ckmo"}, {'C', "cfno"}};
    const auto start = at_;
    Category category{.negated = pattern_[at_ + 1] == 'P'};
    at_ += 2;
    const auto* known = std::end(kKnown);
    if (Take('{') && !AtEnd()) known = std::ranges::find(kKnown, pattern_[at_], &Known::letter);
    if (known != std::end(kKnown)) {
      category.name = pattern_[at_++];
      if (!AtEnd() && known->details.find(pattern_[at_]) != std::string_view::npos) {
        category.name += pattern_[at_++];
      }
      if (Take('}')) return category;
    }
    at_ = start;
    return Wrong("an unknown character category", R"(\p{L}, \p{Lu}, \p{Nd} and their like)");
  }

  // charClassExpr = "[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"
  Result<std::string> Class() {
    const auto start = at_++;
    std::string out = "[";
    if (Take('^')) out += '^';
    const auto empty = out.size();
    if (Take('-')) out += Literal('-');
    while (!AtEnd() && !Next(']')) {
      if (Next('-')) {
        ++at_;
        if (!Next(']')) {
          --at_;
          return Wrong("'-' inside a class", R"(put it first or last, or write \-)");
        }
        out += Literal('-');
        break;
      }
      out += PATRA_TRY(ClassPart());
      if (out.size() > kEmittedBytesMax) return TooLarge();
    }
    if (!Take(']')) {
      at_ = start;
      return Wrong("'[' without ']'");
    }
    if (out.size() == empty) {
      at_ = start;
      return Wrong("an empty class");
    }
    return out + ']';
  }

  // CCE1 = ( CCchar [ "-" CCchar ] ) / charClassEsc
  Result<std::string> ClassPart() {
    if (IsCategory()) return CategoryInClass();
    const auto first = PATRA_TRY(ClassCharacter());
    const auto rest = pattern_.substr(at_);
    if (!rest.starts_with('-') || rest.starts_with("-]")) return Literal(first);
    ++at_;
    if (AtEnd() || IsCategory()) return Wrong("a range without its end");
    const auto last = PATRA_TRY(ClassCharacter());
    if (last < first) return Wrong("a range whose end is before its start");
    return fmt::format("{}-{}", Literal(first), Literal(last));
  }

  Result<std::string> CategoryInClass() {
    const auto category = PATRA_TRY(TakeCategory());
    if (category.name != "C" && category.name != "Cn") return category.InRe2();
    // A class cannot hold the complement of several categories, so Cn has to be spelled out.
    if (category.negated) {
      return fmt::format("{}{}", kAssignedButOthers,
                         category.name == "Cn" ? kOthersButUnassigned : "");
    }
    return fmt::format("{}{}", UnassignedRanges(),
                       category.name == "C" ? kOthersButUnassigned : "");
  }

  // CCchar
  Result<char32_t> ClassCharacter() {
    if (Next('\\')) return SingleEscape();
    if (Next('[') || Next(']') || Next('-')) {
      return Wrong(fmt::format("'{}' inside a class", pattern_[at_]), "put a backslash before it");
    }
    return TakeCharacter();
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
};

re2::RE2::Options Options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(kMemoryMax);
  return options;
}

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct IRegexp::Program {
  explicit Program(const std::string& pattern) : expression(pattern, Options()) {}

  re2::RE2 expression;
};

Result<IRegexp> IRegexp::Compile(std::string_view pattern) {
  const auto translated = PATRA_TRY(Translator(pattern).Run());
  auto program = std::make_shared<const Program>(translated);
  if (!program->expression.ok()) {
    // What we emit is always valid, so what RE2 refuses is too large for it.
    return Fail(ErrorCode::kLimit,
                fmt::format("the pattern is too large: {}", program->expression.error()), {},
                "use smaller counts or fewer groups");
  }
  return IRegexp(std::move(program));
}

bool IRegexp::MatchesAll(std::string_view text) const {
  return re2::RE2::FullMatch(Piece(text), program_->expression);
}

bool IRegexp::MatchesPart(std::string_view text) const {
  return re2::RE2::PartialMatch(Piece(text), program_->expression);
}

std::size_t IRegexp::cost() const {
  return static_cast<std::size_t>(std::max(1, program_->expression.ProgramSize()));
}

}  // namespace patra
