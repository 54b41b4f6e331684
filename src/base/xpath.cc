// pugixml evaluates XPath 1.0 well, but compares names as they are written: //oai:record finds
// nothing where the document chose another prefix. So the expression is cut into tokens as §3.7 of
// the standard says, and every name test is written again as a condition on local-name() and
// namespace-uri() before pugixml compiles it.
//
// pugixml cannot be interrupted either. The same tokens therefore yield the shape of the walk, from
// which, with the measures of a document, the most it can cost is estimated before it starts.
#include "base/xpath.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/document_internal.h"
#include "base/number.h"
#include "base/text_scanner.h"
#include "base/utf8.h"

namespace patra {
namespace {

constexpr int kNestingMax = 64;
constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";

// Tokens -------------------------------------------------------------------------------------

enum class TokenKind {
  kOpen,       // (
  kClose,      // )
  kOpenTest,   // [
  kCloseTest,  // ]
  kDot,        // .
  kDots,       // ..
  kAt,         // @
  kComma,      // ,
  kAxisMark,   // ::
  kSlash,      // /
  kSlashes,    // //
  kOperator,   // all others
  kName,       // a name test
  kNodeType,   // text, node, comment, processing-instruction before '('
  kFunction,   // any other name before '('
  kAxis,       // a name before '::'
  kLiteral,
  kNumber,
};

struct Token {
  TokenKind kind;
  std::size_t offset;
  std::string_view text;
};

Place At(std::size_t offset) { return {.column = static_cast<int>(offset) + 1}; }

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsNameCharacter(char c) { return IsNameStart(c) || IsDigit(c) || c == '-' || c == '.'; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    while (SkipBlanks(), at_ < text_.size()) {
      const auto start = at_;
      const auto kind = PATRA_TRY(Next());
      tokens_.push_back({kind, start, text_.substr(start, at_ - start)});
    }
    if (tokens_.empty()) {
      return Fail(ErrorCode::kInvalidInput, "the path is empty", At(0), "expected an XPath");
    }
    return std::move(tokens_);
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  bool Take(std::string_view piece) {
    if (!text_.substr(at_).starts_with(piece)) return false;
    at_ += piece.size();
    return true;
  }

  Result<TokenKind> Next() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return Literal(c);
    if (IsDigit(c) || (c == '.' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]))) {
      return Number();
    }
    if (IsNameStart(c)) return Name();
    if (c == '*') {
      ++at_;
      return OperatorExpected() ? TokenKind::kOperator : TokenKind::kName;
    }
    constexpr std::pair<std::string_view, TokenKind> kSigns[] = {
        {"::", TokenKind::kAxisMark}, {"..", TokenKind::kDots},     {"//", TokenKind::kSlashes},
        {"!=", TokenKind::kOperator}, {"<=", TokenKind::kOperator}, {">=", TokenKind::kOperator},
        {"(", TokenKind::kOpen},      {")", TokenKind::kClose},     {"[", TokenKind::kOpenTest},
        {"]", TokenKind::kCloseTest}, {".", TokenKind::kDot},       {"@", TokenKind::kAt},
        {",", TokenKind::kComma},     {"/", TokenKind::kSlash},     {"|", TokenKind::kOperator},
        {"+", TokenKind::kOperator},  {"-", TokenKind::kOperator},  {"=", TokenKind::kOperator},
        {"<", TokenKind::kOperator},  {">", TokenKind::kOperator}};
    for (const auto& [sign, kind] : kSigns) {
      if (Take(sign)) return kind;
    }
    if (c == '$') {
      return Fail(ErrorCode::kInvalidInput, "variables are not supported", At(at_),
                  "write the value itself");
    }
    return Fail(
        ErrorCode::kInvalidInput,
        fmt::format("unexpected '{}'", static_cast<unsigned char>(c) < 0x20 ? std::string_view("?")
                                                                            : text_.substr(at_, 1)),
        At(at_), "expected an XPath 1.0 expression");
  }

  Result<TokenKind> Literal(char quote) {
    const auto close = text_.find(quote, at_ + 1);
    if (close == std::string_view::npos) {
      return Fail(ErrorCode::kInvalidInput, "the string has no end", At(at_),
                  fmt::format("expected {} at its end", quote));
    }
    at_ = close + 1;
    return TokenKind::kLiteral;
  }

  TokenKind Number() {
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    if (Take(".")) {
      while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    }
    return TokenKind::kNumber;
  }

  void SkipName() {
    while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
  }

  TokenKind Name() {
    const auto start = at_;
    SkipName();
    if (OperatorExpected())
      return TokenKind::kOperator;  // and, or, div, mod; pugixml judges others
    const auto rest = text_.substr(at_);
    if (rest.starts_with(":*")) {
      at_ += 2;
      return TokenKind::kName;
    }
    if (rest.size() > 1 && rest[0] == ':' && IsNameStart(rest[1])) {
      ++at_;
      SkipName();
    }
    const auto name = text_.substr(start, at_ - start);
    auto ahead = text_.substr(at_);
    while (!ahead.empty() && IsBlank(ahead[0])) ahead.remove_prefix(1);
    if (ahead.starts_with("::")) return TokenKind::kAxis;
    if (!ahead.starts_with('(')) return TokenKind::kName;
    const bool is_node_type =
        name == "text" || name == "node" || name == "comment" || name == "processing-instruction";
    return is_node_type ? TokenKind::kNodeType : TokenKind::kFunction;
  }

  // §3.7: after anything but these, '*' multiplies and a name is an operator.
  bool OperatorExpected() const {
    if (tokens_.empty()) return false;
    switch (tokens_.back().kind) {
      case TokenKind::kAt:
      case TokenKind::kAxisMark:
      case TokenKind::kOpen:
      case TokenKind::kOpenTest:
      case TokenKind::kComma:
      case TokenKind::kSlash:
      case TokenKind::kSlashes:
      case TokenKind::kOperator:
        return false;
      default:
        return true;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

// pugixml tells neither the name nor the place of a function that it does not know.
Result<void> CheckFunctions(const std::vector<Token>& tokens) {
  constexpr std::string_view kKnown[] = {"boolean",
                                         "ceiling",
                                         "concat",
                                         "contains",
                                         "count",
                                         "false",
                                         "floor",
                                         "lang",
                                         "last",
                                         "local-name",
                                         "name",
                                         "namespace-uri",
                                         "normalize-space",
                                         "not",
                                         "number",
                                         "position",
                                         "round",
                                         "starts-with",
                                         "string",
                                         "string-length",
                                         "substring",
                                         "substring-after",
                                         "substring-before",
                                         "sum",
                                         "translate",
                                         "true"};
  for (const auto& token : tokens) {
    if (token.kind != TokenKind::kFunction) continue;
    if (std::ranges::find(kKnown, token.text) != std::end(kKnown)) continue;
    return Fail(ErrorCode::kInvalidInput, fmt::format("unknown function '{}'", token.text),
                At(token.offset), "expected a function of XPath 1.0 other than id()");
  }
  return {};
}

// Names --------------------------------------------------------------------------------------

// The expression for pugixml, and the way back from its offsets to those of the original.
class Rewriter {
 public:
  Rewriter(std::string_view text, const Namespaces& namespaces)
      : text_(text), namespaces_(namespaces) {}

  Result<void> Run(const std::vector<Token>& tokens) {
    std::size_t copied = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto& token = tokens[i];
      out_ += text_.substr(copied, token.offset - copied);
      seams_.push_back({out_.size(), token.offset});
      out_ += token.kind == TokenKind::kName ? PATRA_TRY(NameTest(token, AxisBefore(tokens, i)))
                                             : std::string(token.text);
      copied = token.offset + token.text.size();
    }
    return {};
  }

  const std::string& expression() const { return out_; }

  std::size_t OriginalOffset(std::ptrdiff_t offset) const {
    const auto wanted = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    if (wanted >= out_.size()) return text_.size();
    const auto after = std::ranges::upper_bound(seams_, wanted, {}, &Seam::here);
    return after == seams_.begin() ? 0 : std::prev(after)->there;
  }

 private:
  struct Seam {
    std::size_t here;
    std::size_t there;
  };

  static std::string_view AxisBefore(const std::vector<Token>& tokens, std::size_t i) {
    if (i >= 1 && tokens[i - 1].kind == TokenKind::kAt) return "attribute";
    if (i >= 2 && tokens[i - 1].kind == TokenKind::kAxisMark) return tokens[i - 2].text;
    return "child";
  }

  Result<std::string> NameTest(const Token& token, std::string_view axis) const {
    if (token.text == "*") return std::string("*");
    const auto colon = token.text.find(':');
    const bool prefixed = colon != std::string_view::npos;
    const auto prefix = prefixed ? token.text.substr(0, colon) : std::string_view();
    const auto local = prefixed ? token.text.substr(colon + 1) : token.text;

    // An attribute without a prefix is in no namespace: the name as written is the test.
    if (!prefixed && axis == "attribute") return std::string(token.text);
    if (!prefixed && !namespaces_.contains("")) return fmt::format("*[local-name()='{}']", local);

    const auto uri = PATRA_TRY(Uri(prefix, token.offset));
    // The prefix of this one is always "xml", and pugixml does not know its URI.
    if (uri == kXmlNamespace) return fmt::format("xml:{}", local);
    const auto in_namespace = fmt::format("namespace-uri()={0}{1}{0}",
                                          uri.find('\'') == std::string::npos ? '\'' : '"', uri);
    if (local == "*") return fmt::format("*[{}]", in_namespace);
    return fmt::format("*[local-name()='{}' and {}]", local, in_namespace);
  }

  Result<std::string> Uri(std::string_view prefix, std::size_t offset) const {
    const auto found = namespaces_.find(std::string(prefix));
    if (found != namespaces_.end()) return found->second;
    if (prefix == "xml") return std::string(kXmlNamespace);
    std::string known;
    for (const auto& [name, uri] : namespaces_) {
      if (!name.empty()) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    }
    return Fail(ErrorCode::kInvalidInput, fmt::format("the prefix '{}' is not declared", prefix),
                At(offset),
                known.empty() ? "declare it under namespaces" : fmt::format("declared: {}", known));
  }

  std::string_view text_;
  const Namespaces& namespaces_;
  std::string out_;
  std::vector<Seam> seams_;
};

// Cost ---------------------------------------------------------------------------------------

enum class Move {
  kStartHere,       // a path begins at the context
  kStartAtRoot,     // a path begins at the root
  kStartAnywhere,   // a path goes on from a function or a group
  kStay,            // self
  kDown,            // child
  kToAttributes,    // attribute
  kDeep,            // descendant
  kUp,              // parent
  kFarUp,           // ancestor
  kBeside,          // siblings
  kAway,            // following, preceding
  kOpenCondition,   // [
  kCloseCondition,  // ]
  kReadText,        // a path ends whose nodes stand for their text
};

// What asks whether nodes are there, how many, or how they are called, does not read them.
bool ReadsNoText(std::string_view function) {
  constexpr std::string_view kAskingFunctions[] = {"count", "not",        "boolean",
                                                   "name",  "local-name", "namespace-uri"};
  return std::ranges::find(kAskingFunctions, function) != std::end(kAskingFunctions);
}

bool AsksForTruth(const Token& token) {
  return token.kind == TokenKind::kOpenTest || token.kind == TokenKind::kCloseTest ||
         (token.kind == TokenKind::kOperator && (token.text == "and" || token.text == "or"));
}

Move MoveAlong(std::string_view axis) {
  if (axis == "self") return Move::kStay;
  if (axis == "attribute") return Move::kToAttributes;
  if (axis == "descendant" || axis == "descendant-or-self") return Move::kDeep;
  if (axis == "parent") return Move::kUp;
  if (axis == "ancestor" || axis == "ancestor-or-self") return Move::kFarUp;
  if (axis.ends_with("-sibling")) return Move::kBeside;
  if (axis == "following" || axis == "preceding") return Move::kAway;
  return Move::kDown;
}

// What a group or a function yields may be filtered or followed like a path.
bool FollowsOn(const std::vector<Token>& tokens, std::size_t i) {
  if (i + 1 >= tokens.size()) return false;
  const auto kind = tokens[i + 1].kind;
  return kind == TokenKind::kSlash || kind == TokenKind::kSlashes || kind == TokenKind::kOpenTest;
}

// Follows the tokens of an expression, one after the other.
class MoveReader {
 public:
  explicit MoveReader(const std::vector<Token>& tokens) : tokens_(tokens) {}

  Result<std::vector<Move>> Read() {
    for (; at_ < tokens_.size(); ++at_) {
      if (!TakeStep()) PATRA_TRY(TakeMark());
    }
    return std::move(moves_);
  }

 private:
  struct Outer {
    bool in_path;       // whether the brackets stand in one
    std::size_t begin;  // of that
    std::size_t open;   // the opening bracket
  };

  // A step of a path; false where the token is none.
  bool TakeStep() {
    switch (tokens_[at_].kind) {
      case TokenKind::kSlash:
        Start(Move::kStartAtRoot);
        return true;
      case TokenKind::kSlashes:
        Step(Move::kStartAtRoot, Move::kDeep);
        return true;
      case TokenKind::kDot:
        Step(Move::kStartHere, Move::kStay);
        return true;
      case TokenKind::kDots:
        Step(Move::kStartHere, Move::kUp);
        return true;
      case TokenKind::kAxis:
        Step(Move::kStartHere, MoveAlong(tokens_[at_].text));
        return true;
      case TokenKind::kAt:
        Step(Move::kStartHere, Move::kToAttributes);
        return true;
      case TokenKind::kName:
      case TokenKind::kNodeType:
        // An axis that is named has moved already.
        if (!IsAfter(TokenKind::kAxisMark) && !IsAfter(TokenKind::kAt))
          Step(Move::kStartHere, Move::kDown);
        return true;
      default:
        return false;
    }
  }

  Result<void> TakeMark() {
    switch (tokens_[at_].kind) {
      case TokenKind::kOpenTest:
      case TokenKind::kOpen:
        return Open();
      case TokenKind::kCloseTest:
      case TokenKind::kClose:
        return Close();
      case TokenKind::kOperator:
      case TokenKind::kComma:
        End();
        in_path_ = false;
        return {};
      default:
        return {};
    }
  }

  Result<void> Open() {
    const auto& token = tokens_[at_];
    if (outer_.size() >= kNestingMax) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("the path is nested deeper than {} levels", kNestingMax),
                  At(token.offset));
    }
    outer_.push_back({in_path_, begin_, at_});
    if (token.kind == TokenKind::kOpenTest) moves_.push_back(Move::kOpenCondition);
    in_path_ = false;
    return {};
  }

  Result<void> Close() {
    const auto& token = tokens_[at_];
    if (outer_.empty()) {
      return Fail(ErrorCode::kInvalidInput, fmt::format("unexpected '{}'", token.text),
                  At(token.offset), "expected its opening bracket before it");
    }
    End();
    in_path_ = outer_.back().in_path;
    begin_ = outer_.back().begin;
    outer_.pop_back();
    if (token.kind == TokenKind::kCloseTest) {
      moves_.push_back(Move::kCloseCondition);
    } else if (FollowsOn(tokens_, at_)) {
      Start(Move::kStartAnywhere);
    }
    return {};
  }

  bool IsAfter(TokenKind kind) const { return at_ > 0 && tokens_[at_ - 1].kind == kind; }

  void Start(Move from) {
    if (!in_path_) {
      moves_.push_back(from);
      begin_ = at_;
    }
    in_path_ = true;
  }
  void Step(Move from, Move move) {
    Start(from);
    moves_.push_back(move);
  }

  // At the token where the path ends.
  void End() {
    if (!in_path_ || outer_.empty()) return;  // whoever asks reads the nodes that are found once
    const bool is_asked_before =
        begin_ > 0 && (AsksForTruth(tokens_[begin_ - 1]) || CountsOnly(begin_ - 1));
    const bool is_asked_after =
        AsksForTruth(tokens_[at_]) || tokens_[at_].kind == TokenKind::kClose;
    if (!(is_asked_before && is_asked_after)) moves_.push_back(Move::kReadText);
  }
  bool CountsOnly(std::size_t open) const {
    return tokens_[open].kind == TokenKind::kOpen && open > 0 &&
           tokens_[open - 1].kind == TokenKind::kFunction && ReadsNoText(tokens_[open - 1].text);
  }

  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  bool in_path_ = false;
  std::size_t begin_ = 0;  // of the path
  std::vector<Outer> outer_;
  std::vector<Move> moves_;
};

// The most nodes that the walk can look at, from the tree's measures: all its nodes, the depth, the
// most children that one node has.
//
// A path may be evaluated for many contexts, as it is in a condition. What matters is then not only
// how many (context, node) pairs there are, but how often one node can be among them: children of
// different nodes are different, so [title] for every record visits each title once; //title there
// visits all titles for every record. Likewise for the text that a path stands for: it is read once
// per share, and 32 bytes of it cost as much as a node. A path that goes up or aside comes to nodes that others come to
// as well: [.. = 'x'] reads the whole list for every record in it.
class WalkCost {
 public:
  explicit WalkCost(const XmlTree& tree)
      : all_(static_cast<double>(tree.measures.nodes + 1)),
        text_(static_cast<double>(tree.bytes.size()) / 32 + 1),
        depth_(static_cast<double>(tree.measures.depth + 1)),
        children_(static_cast<double>(tree.measures.children_max + 1)),
        attributes_(static_cast<double>(tree.measures.attributes_max + 1)),
        sibling_pairs_(tree.measures.sibling_pairs + 1) {}

  double Of(const std::vector<Move>& moves) {
    for (const auto move : moves) Take(move);
    return cost_;
  }

 private:
  struct State {
    double evaluations;  // of the expression at this level
    double repeats;      // how often one node can be the context
    double pairs;        // (context, node) where the path stands
    double share;        // how many of the pairs one node can be in
    double texts = 0;    // how often the path reads a text that paths from other contexts read, too
  };
  struct Reached {
    double pairs;
    double share;
  };

  void Take(Move move) {
    auto& now = levels_.back();
    const auto came_from = std::exchange(share_below_, std::nullopt);
    switch (move) {
      case Move::kReadText:
        cost_ += now.texts * text_;
        return;
      case Move::kOpenCondition: {
        const State inner{now.pairs, now.share, now.pairs, now.share, 0};
        levels_.push_back(inner);
        return;
      }
      case Move::kCloseCondition:
        levels_.pop_back();
        return;
      case Move::kStartHere:
        return Arrive(now, Begin(now, {now.evaluations, now.repeats}));
      case Move::kStartAtRoot:
        return Arrive(now, Begin(now, {now.evaluations, now.evaluations}));
      case Move::kStartAnywhere:
        return Arrive(now, Begin(now, {now.evaluations * all_, now.evaluations}));
      default:
        return Arrive(now, Go(now, move, came_from));
    }
  }

  Reached Begin(State& now, Reached at) {
    now.texts = 0;
    cost_ += at.share * text_;
    return at;
  }

  // `came_from`: right after going up, of the nodes that were left.
  Reached Go(State& now, Move move, std::optional<double> came_from) {
    auto [pairs, share] = Reached{now.pairs, now.share};
    switch (move) {
      case Move::kDown:
        pairs = std::min(pairs * children_, all_ * share);
        // Up and down again leads to siblings.
        if (came_from) pairs = std::min(pairs, *came_from * sibling_pairs_);
        break;
      case Move::kToAttributes:
        pairs = std::min(pairs * attributes_, all_ * share);
        now.texts = 0;  // theirs is short
        break;
      case Move::kDeep:
        share = std::min(share * depth_, pairs);
        pairs = std::min(pairs, share) * all_;
        break;
      case Move::kUp:
        share_below_ = share;
        share = std::min(pairs, share * children_);
        now.texts = share;
        break;
      case Move::kFarUp:
        share = pairs;
        pairs *= depth_;
        now.texts = share * depth_;
        break;
      case Move::kBeside:
        pairs = std::min(pairs * children_, share * sibling_pairs_);
        share = std::min(now.pairs, share * children_);
        now.texts = share;
        break;
      case Move::kAway:
        share = pairs;
        pairs *= all_;
        now.texts = share;
        break;
      default:
        break;
    }
    return {pairs, share};
  }

  void Arrive(State& now, Reached reached) {
    cost_ += reached.pairs;
    // Each evaluation keeps a node once.
    now.pairs = std::min(reached.pairs, all_ * now.evaluations);
    now.share = std::min(reached.share, now.evaluations);
  }

  const double all_, text_, depth_, children_, attributes_, sibling_pairs_;
  std::vector<State> levels_ = {{1, 1, 1, 1}};
  std::optional<double> share_below_;  // right after going up: of the nodes we came from
  double cost_ = 0;
};

pugi::xpath_node ContextOf(Node context) {
  const auto node = NodeAccess::Xml(context);
  if (context.type() == NodeType::kAttribute) {
    return {NodeAccess::Attribute(context), node};
  }
  return node;
}

Node FromPugi(const XmlTree* tree, const pugi::xpath_node& found) {
  return found.attribute() ? NodeAccess::OfXml(tree, found.parent(), found.attribute())
                           : NodeAccess::OfXml(tree, found.node());
}

}  // namespace

struct XPath::Program {
  Program(std::string_view original, const std::string& expression, std::vector<Move> shape)
      : text(original), query(expression.c_str()), moves(std::move(shape)) {}

  // Refuses what could take too long, before it starts.
  Result<void> Affordable(const XmlTree& tree, const PathLimits& limits) const {
    const double cost = WalkCost(tree).Of(moves);
    if (cost <= static_cast<double>(limits.steps_max)) return {};
    return Fail(ErrorCode::kLimit,
                fmt::format("the path could take {:.0e} steps on this document, the limit is {}",
                            cost, limits.steps_max),
                {}, "avoid paths from the root, following:: and preceding:: inside [ ]");
  }

  std::string text;
  pugi::xpath_query query;
  std::vector<Move> moves;
};

Result<XPath> XPath::Compile(std::string_view text, const Namespaces& namespaces) {
  if (text.size() > kPathTextBytesMax) {
    return Fail(ErrorCode::kLimit, fmt::format("a path of {} bytes is longer than the limit of {}",
                                               text.size(), kPathTextBytesMax));
  }
  auto bad = std::min(FindInvalidUtf8(text), text.find('\0'));
  if (bad != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidInput, "the path is not text in UTF-8", At(bad),
                "write it in UTF-8");
  }
  for (const auto& [prefix, uri] : namespaces) {
    if (uri.find('\'') != std::string::npos && uri.find('"') != std::string::npos) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("the namespace of prefix '{}' has both kinds of quotes", prefix));
    }
  }
  const auto tokens = PATRA_TRY(Tokenizer(text).Run());
  PATRA_TRY(CheckFunctions(tokens));
  auto moves = PATRA_TRY(MoveReader(tokens).Read());
  Rewriter rewriter(text, namespaces);
  PATRA_TRY(rewriter.Run(tokens));
  try {
    return XPath(std::make_shared<const Program>(text, rewriter.expression(), std::move(moves)));
  } catch (const pugi::xpath_exception& problem) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("not an XPath: {}", problem.what()),
                At(rewriter.OriginalOffset(problem.result().offset)),
                "expected an XPath 1.0 expression");
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kLimit, "no memory to compile the path");
  }
}

bool XPath::selects_nodes() const {
  return program_->query.return_type() == pugi::xpath_type_node_set;
}

Result<std::vector<Node>> XPath::Select(Node context, PathLimits limits) const {
  PATRA_ASSERT(selects_nodes());
  std::vector<Node> nodes;
  if (!context.is_xml()) return nodes;
  const auto* tree = NodeAccess::Tree(context);
  PATRA_TRY(program_->Affordable(*tree, limits));
  try {
    auto found = program_->query.evaluate_node_set(ContextOf(context));
    if (found.size() > limits.results_max) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("the path selects more than {} nodes", limits.results_max));
    }
    found.sort();
    nodes.reserve(found.size());
    for (const auto& node : found) nodes.push_back(FromPugi(tree, node));
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kLimit, "no memory to evaluate the path");
  }
  return nodes;
}

Result<std::optional<Node>> XPath::First(Node context, PathLimits limits) const {
  PATRA_ASSERT(selects_nodes());
  if (!context.is_xml()) return std::nullopt;
  const auto* tree = NodeAccess::Tree(context);
  PATRA_TRY(program_->Affordable(*tree, limits));
  try {
    const auto found = program_->query.evaluate_node(ContextOf(context));
    if (!found) return std::nullopt;
    return FromPugi(tree, found);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kLimit, "no memory to evaluate the path");
  }
}

Result<Value> XPath::Compute(Node context, PathLimits limits) const {
  PATRA_ASSERT(!selects_nodes());
  if (!context.is_xml()) return Value();
  PATRA_TRY(program_->Affordable(*NodeAccess::Tree(context), limits));
  const auto& query = program_->query;
  try {
    switch (query.return_type()) {
      case pugi::xpath_type_boolean:
        return Value(query.evaluate_boolean(ContextOf(context)));
      case pugi::xpath_type_string:
        return Value(query.evaluate_string(ContextOf(context)));
      default:
        break;
    }
    const double number = query.evaluate_number(ContextOf(context));
    if (!std::isfinite(number)) return Value();
    const auto integer = Number(number).AsInteger();
    return integer ? Value(*integer) : Value(number);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kLimit, "no memory to evaluate the path");
  }
}

std::string_view XPath::text() const { return program_->text; }

}  // namespace patra
