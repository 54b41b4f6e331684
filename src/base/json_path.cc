// Evaluation goes depth first: a node that a segment selects is followed through all later segments
// before its sibling is looked at. RFC 9535 describes lists of nodes, segment by segment; the order
// of results is the same, nothing but the results is ever stored, and whoever wants one node stops
// at one. Every place looked at is paid for with a step, so that no query runs away.
#include "base/json_path.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/json_path_query.h"
#include "base/utf8.h"

namespace patra {
namespace jsonpath {
namespace {

// Where the selected nodes go.
class Sink {
 public:
  virtual ~Sink() = default;

  // False when no more are wanted.
  virtual bool Take(Node node) = 0;

  // The way to the node being looked at, for sinks that want to know it.
  std::vector<PathPiece>* location = nullptr;
};

class Collected final : public Sink {
 public:
  explicit Collected(std::size_t most) : most_(most) {}
  bool Take(Node node) override {
    if (nodes.size() >= most_) {
      overflowed = true;
      return false;
    }
    nodes.push_back(node);
    return true;
  }

  std::vector<Node> nodes;
  bool overflowed = false;

 private:
  std::size_t most_;
};

class Counted final : public Sink {
 public:
  bool Take(Node) override {
    ++count;
    return true;
  }
  std::int64_t count = 0;
};

// Up to two: enough to know the only one.
class Few final : public Sink {
 public:
  explicit Few(std::size_t wanted) : wanted_(wanted) {}
  bool Take(Node node) override {
    if (count == 0) first = node;
    return ++count < wanted_;
  }

  Node first;
  std::size_t count = 0;

 private:
  std::size_t wanted_;
};

class Located final : public Sink {
 public:
  explicit Located(std::size_t most) : most_(most) { location = &pieces_; }
  bool Take(Node node) override {
    if (nodes.size() >= most_) {
      overflowed = true;
      return false;
    }
    nodes.push_back({node, NormalizedPath(pieces_)});
    return true;
  }

  std::vector<LocatedNode> nodes;
  bool overflowed = false;

 private:
  std::vector<PathPiece> pieces_;
  std::size_t most_;
};

// What an operand of a comparison or an argument of a function is worth.
struct Nothing {};
using Operand = std::variant<Nothing, Null, bool, Number, std::string_view, Node>;

Operand Worth(Node node) {
  switch (node.type()) {
    case NodeType::kNull:
      return Null{};
    case NodeType::kBool:
      return *node.AsBool();
    case NodeType::kNumber:
      return *node.AsNumber();
    case NodeType::kString:
      return *node.AsString();
    default:
      return node;  // containers
  }
}

std::optional<Node> ItemAt(Node array, std::int64_t index) {
  if (!array.is_array()) return std::nullopt;
  if (index < 0) index += static_cast<std::int64_t>(array.size());
  return index < 0 ? std::nullopt : array.At(static_cast<std::size_t>(index));
}

std::optional<Node> FollowOne(const Selector& selector, Node node) {
  if (const auto* name = std::get_if<NameSelector>(&selector)) return node.Find(name->name);
  return ItemAt(node, std::get<IndexSelector>(selector).index);
}

// REQUIRES: query.singular
std::optional<Node> FollowSingular(const Query& query, Node node) {
  for (const auto& segment : query.segments) {
    const auto next = FollowOne(segment.selectors.front(), node);
    if (!next) return std::nullopt;
    node = *next;
  }
  return node;
}

// Patterns that come from the document, kept because they come again with every item. An error is
// worth keeping too.
const Result<IRegexp>& CachedPattern(std::string_view pattern) {
  constexpr std::size_t kCachedMax = 32;
  thread_local std::map<std::string, Result<IRegexp>, std::less<>> cache;
  const auto found = cache.find(pattern);
  if (found != cache.end()) return found->second;
  if (cache.size() >= kCachedMax) cache.clear();
  return cache.emplace(pattern, IRegexp::Compile(pattern)).first->second;
}

class Evaluation {
 public:
  Evaluation(Node root, const PathLimits& limits) : root_(root), steps_left_(limits.steps_max) {}

  void Run(const Query& query, Sink& sink) { Follow(query.segments, 0, root_, sink); }
  void Run(const std::vector<Segment>& segments, Node at, Sink& sink) {
    Follow(segments, 0, at, sink);
  }

  // Why the evaluation ended before its time, if it did.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  using Segments = std::vector<Segment>;

  bool Exhausted() {
    if (!failure_) {
      failure_ = Error{ErrorCode::kLimit,
                       "the path takes too many steps on this document",
                       {},
                       "make it more precise, above all where it has '..' or filters"};
    }
    return false;
  }

  bool Pay(std::uint64_t steps) {
    if (steps_left_ < steps) {
      steps_left_ = 0;
      return Exhausted();
    }
    steps_left_ -= steps;
    return true;
  }

  // Every function below returns false when the walk must end: the sink is full or the steps are
  // used up.

  bool Follow(const Segments& segments, std::size_t next, Node node, Sink& sink) {
    if (next == segments.size()) return sink.Take(node);
    const auto& segment = segments[next];
    return segment.descendant ? FollowDescendants(segments, next, node, sink)
                              : FollowChildren(segments, next, node, sink);
  }

  bool FollowChildren(const Segments& segments, std::size_t next, Node node, Sink& sink) {
    if (!Pay(1)) return false;
    for (const auto& selector : segments[next].selectors) {
      const bool go_on = std::visit(
          [&](const auto& chosen) { return Choose(chosen, segments, next, node, sink); }, selector);
      if (!go_on) return false;
    }
    return true;
  }

  // The node itself, then its descendants, each before its own children.
  bool FollowDescendants(const Segments& segments, std::size_t next, Node node, Sink& sink) {
    if (!FollowChildren(segments, next, node, sink)) return false;
    return ForEachChild(node, sink, [&](Node child) {
      const auto type = child.type();
      if (type != NodeType::kArray && type != NodeType::kObject) return Pay(1);
      return FollowDescendants(segments, next, child, sink);
    });
  }

  // Calls `visit` for the children of an array or object, keeping the sink's location.
  template <typename Visit>
  bool ForEachChild(Node node, Sink& sink, Visit visit) {
    const bool named = node.is_object();
    std::size_t index = 0;
    for (const auto [name, child] : node.children()) {
      const bool go_on =
          Inside(sink, named ? PathPiece(name) : PathPiece(index), [&] { return visit(child); });
      if (!go_on) return false;
      ++index;
    }
    return true;
  }

  template <typename Act>
  bool Inside(Sink& sink, PathPiece piece, Act act) {
    if (sink.location == nullptr) return act();
    sink.location->push_back(piece);
    const bool go_on = act();
    sink.location->pop_back();
    return go_on;
  }

  bool Choose(const NameSelector& chosen, const Segments& segments, std::size_t next, Node node,
              Sink& sink) {
    if (!node.is_object()) return true;
    if (!Pay(1 + node.size() / 16)) return false;  // finding a name is a walk, though a fast one
    const auto member = node.Find(chosen.name);
    if (!member) return true;
    return Inside(sink, std::string_view(chosen.name),
                  [&] { return Follow(segments, next + 1, *member, sink); });
  }

  bool Choose(const WildcardSelector&, const Segments& segments, std::size_t next, Node node,
              Sink& sink) {
    return ForEachChild(
        node, sink, [&](Node child) { return Pay(1) && Follow(segments, next + 1, child, sink); });
  }

  bool Choose(const IndexSelector& chosen, const Segments& segments, std::size_t next, Node node,
              Sink& sink) {
    if (!node.is_array()) return true;
    if (!Pay(1 + node.size() / 16)) return false;
    const auto item = ItemAt(node, chosen.index);
    if (!item) return true;
    const auto size = static_cast<std::int64_t>(node.size());
    const auto index = chosen.index < 0 ? chosen.index + size : chosen.index;
    return Inside(sink, static_cast<std::size_t>(index),
                  [&] { return Follow(segments, next + 1, *item, sink); });
  }

  // RFC 9535 §2.3.4.2.2. The sums cannot overflow: literals are below 2^53.
  bool Choose(const SliceSelector& chosen, const Segments& segments, std::size_t next, Node node,
              Sink& sink) {
    if (!node.is_array() || chosen.step == 0) return true;
    const auto size = static_cast<std::int64_t>(node.size());
    if (!Pay(1 + node.size())) return false;
    const bool forward = chosen.step > 0;
    const auto from_start = [&](std::int64_t index) { return index < 0 ? index + size : index; };
    const auto lowest = forward ? std::int64_t{0} : std::int64_t{-1};
    const auto highest = forward ? size : size - 1;
    const auto bound = [&](const std::optional<std::int64_t>& given, std::int64_t otherwise) {
      return given ? std::clamp(from_start(*given), lowest, highest) : otherwise;
    };
    const auto begin = bound(chosen.start, forward ? lowest : highest);
    const auto end = bound(chosen.end, forward ? highest : lowest);

    std::vector<Node> items;  // an array on the tape has no random access
    items.reserve(node.size());
    for (const auto& [name, item] : node.children()) items.push_back(item);
    for (auto i = begin; forward ? i < end : i > end; i += chosen.step) {
      const auto index = static_cast<std::size_t>(i);
      const bool go_on =
          Inside(sink, index, [&] { return Follow(segments, next + 1, items[index], sink); });
      if (!go_on) return false;
    }
    return true;
  }

  bool Choose(const FilterSelector& chosen, const Segments& segments, std::size_t next, Node node,
              Sink& sink) {
    return ForEachChild(node, sink, [&](Node child) {
      if (!Pay(1)) return false;
      const bool holds = Holds(chosen.condition.front(), child);
      if (failure_) return false;
      return !holds || Follow(segments, next + 1, child, sink);
    });
  }

  // Conditions. When a step is lacking the answer means nothing and failure_ is set.

  bool Holds(const Expression& expression, Node current) {
    if (const auto* logical = std::get_if<Logical>(&expression.content)) {
      const auto holds = [&](const Expression& operand) { return Holds(operand, current); };
      switch (logical->kind) {
        case Logical::Kind::kAnd:
          return std::ranges::all_of(logical->operands, holds);
        case Logical::Kind::kOr:
          return std::ranges::any_of(logical->operands, holds);
        case Logical::Kind::kNot:
          return std::ranges::none_of(logical->operands, holds);
      }
    }
    if (const auto* compared = std::get_if<Compared>(&expression.content)) {
      return HoldsComparison(*compared, current);
    }
    if (const auto* query = std::get_if<Query>(&expression.content)) {
      Few any(1);
      Select(*query, current, any);
      return any.count > 0;
    }
    return HoldsPattern(std::get<Call>(expression.content), current);
  }

  void Select(const Query& query, Node current, Sink& sink) {
    if (Pay(1)) Follow(query.segments, 0, query.relative ? current : root_, sink);
  }

  // RFC 9535 §2.3.5.2.2
  bool HoldsComparison(const Compared& compared, Node current) {
    const auto left = Evaluate(compared.sides[0], current);
    const auto right = Evaluate(compared.sides[1], current);
    switch (compared.comparison) {
      case Comparison::kEqual:
        return Equal(left, right);
      case Comparison::kNotEqual:
        return !Equal(left, right);
      case Comparison::kLess:
        return Less(left, right);
      case Comparison::kLessOrEqual:
        return Less(left, right) || Equal(left, right);
      case Comparison::kGreater:
        return Less(right, left);
      case Comparison::kGreaterOrEqual:
        return Less(right, left) || Equal(left, right);
    }
    return false;
  }

  Operand Evaluate(const Expression& expression, Node current) {
    if (const auto* literal = std::get_if<Literal>(&expression.content)) {
      return std::visit([](const auto& value) -> Operand { return value; }, *literal);
    }
    if (const auto* query = std::get_if<Query>(&expression.content)) {
      return EvaluateSingular(*query, current);
    }
    return EvaluateCall(std::get<Call>(expression.content), current);
  }

  Operand EvaluateSingular(const Query& query, Node current) {
    Few only(1);
    Select(query, current, only);
    return only.count == 0 ? Operand(Nothing{}) : Worth(only.first);
  }

  Operand EvaluateCall(const Call& call, Node current) {
    const auto& argument = call.arguments.front();
    switch (call.function) {
      case Function::kLength:
        return Length(Evaluate(argument, current));
      case Function::kCount: {
        Counted counted;
        Select(std::get<Query>(argument.content), current, counted);
        return Number(counted.count);
      }
      case Function::kValue: {
        Few few(2);
        Select(std::get<Query>(argument.content), current, few);
        return few.count == 1 ? Worth(few.first) : Operand(Nothing{});
      }
      case Function::kMatch:
      case Function::kSearch:
        break;  // these have no value; the parser lets them stand only as conditions
    }
    return Nothing{};
  }

  Operand Length(const Operand& operand) {
    if (const auto* text = std::get_if<std::string_view>(&operand)) {
      Pay(text->size() / 16);
      return Number(static_cast<std::int64_t>(CountCharacters(*text)));
    }
    if (const auto* container = std::get_if<Node>(&operand)) {
      return Number(static_cast<std::int64_t>(container->size()));
    }
    return Nothing{};
  }

  bool HoldsPattern(const Call& call, Node current) {
    const auto operand = Evaluate(call.arguments[0], current);
    const auto* text = std::get_if<std::string_view>(&operand);
    if (text == nullptr) return false;
    if (call.constant_pattern) return call.pattern && Matches(*call.pattern, call.function, *text);

    const auto other = Evaluate(call.arguments[1], current);
    const auto* pattern = std::get_if<std::string_view>(&other);
    if (pattern == nullptr || !Pay(1 + pattern->size())) return false;
    const auto& compiled = CachedPattern(*pattern);
    if (compiled) return Matches(*compiled, call.function, *text);
    if (compiled.error().code == ErrorCode::kLimit && !failure_) failure_ = compiled.error();
    return false;
  }

  bool Matches(const IRegexp& pattern, Function function, std::string_view text) {
    if (!Pay(1 + text.size() / 16 * (1 + pattern.cost() / 256))) return false;
    return function == Function::kMatch ? pattern.MatchesAll(text) : pattern.MatchesPart(text);
  }

  bool Equal(const Operand& a, const Operand& b) {
    if (a.index() != b.index()) return false;
    if (const auto* flag = std::get_if<bool>(&a)) return *flag == std::get<bool>(b);
    if (const auto* number = std::get_if<Number>(&a)) return *number == std::get<Number>(b);
    if (const auto* text = std::get_if<std::string_view>(&a)) {
      Pay(text->size() / 64);
      return *text == std::get<std::string_view>(b);
    }
    if (const auto* node = std::get_if<Node>(&a)) {
      const bool equal = DeepEqual(*node, std::get<Node>(b), &steps_left_);
      if (steps_left_ == 0) Exhausted();
      return equal;
    }
    return true;  // both null, or both nothing
  }

  // Strings by their characters, which in UTF-8 is by their bytes.
  bool Less(const Operand& a, const Operand& b) {
    if (const auto *x = std::get_if<Number>(&a), *y = std::get_if<Number>(&b);
        x != nullptr && y != nullptr) {
      return *x < *y;
    }
    if (const auto *x = std::get_if<std::string_view>(&a), *y = std::get_if<std::string_view>(&b);
        x != nullptr && y != nullptr) {
      Pay(std::min(x->size(), y->size()) / 64);
      return *x < *y;
    }
    return false;
  }

  Node root_;
  std::uint64_t steps_left_;
  std::optional<Error> failure_;
};

std::unexpected<Error> TooManyResults(std::size_t most) {
  return Fail(ErrorCode::kLimit, fmt::format("the path selects more than {} nodes", most));
}

}  // namespace
}  // namespace jsonpath

std::string NormalizedPath(const std::vector<PathPiece>& pieces) {
  std::string out = "$";
  for (const auto& piece : pieces) {
    if (const auto* index = std::get_if<std::size_t>(&piece)) {
      out += fmt::format("[{}]", *index);
      continue;
    }
    out += "['";
    for (const char c : std::get<std::string_view>(piece)) {
      constexpr std::string_view kEscaped = "\b\t\n\f\r'\\";
      constexpr std::string_view kLetters = "btnfr'\\";
      if (const auto found = kEscaped.find(c); found != std::string_view::npos) {
        out += '\\';
        out += kLetters[found];
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      } else {
        out += c;
      }
    }
    out += "']";
  }
  return out;
}

struct JsonPath::Program {
  std::string text;
  jsonpath::Query query;
};

Result<JsonPath> JsonPath::Compile(std::string_view text) {
  auto query = PATRA_TRY(jsonpath::Parse(text));
  return JsonPath(std::make_shared<const Program>(Program{std::string(text), std::move(query)}));
}

Result<std::vector<Node>> JsonPath::Select(Node root, PathLimits limits) const {
  if (root.is_xml()) return std::vector<Node>();
  jsonpath::Collected collected(limits.results_max);
  jsonpath::Evaluation evaluation(root, limits);
  evaluation.Run(program_->query, collected);
  if (evaluation.failure()) return std::unexpected(*evaluation.failure());
  if (collected.overflowed) return jsonpath::TooManyResults(limits.results_max);
  return std::move(collected.nodes);
}

Result<std::vector<LocatedNode>> JsonPath::SelectLocated(Node root, PathLimits limits) const {
  if (root.is_xml()) return std::vector<LocatedNode>();
  jsonpath::Located located(limits.results_max);
  jsonpath::Evaluation evaluation(root, limits);
  evaluation.Run(program_->query, located);
  if (evaluation.failure()) return std::unexpected(*evaluation.failure());
  if (located.overflowed) return jsonpath::TooManyResults(limits.results_max);
  return std::move(located.nodes);
}

Result<std::optional<Node>> JsonPath::First(Node root, PathLimits limits) const {
  if (root.is_xml()) return std::nullopt;
  if (program_->query.singular) return jsonpath::FollowSingular(program_->query, root);
  jsonpath::Few first(1);
  jsonpath::Evaluation evaluation(root, limits);
  evaluation.Run(program_->query, first);
  if (evaluation.failure()) return std::unexpected(*evaluation.failure());
  if (first.count == 0) return std::nullopt;
  return first.first;
}

bool JsonPath::singular() const { return program_->query.singular; }

std::string_view JsonPath::text() const { return program_->text; }

std::vector<JsonPath::Step> JsonPath::StepsToItems() const {
  std::vector<Step> steps;
  for (const auto& segment : program_->query.segments) {
    const auto& selector = segment.selectors.front();
    const auto* name = std::get_if<jsonpath::NameSelector>(&selector);
    const auto* index = std::get_if<jsonpath::IndexSelector>(&selector);
    if (segment.descendant || segment.selectors.size() != 1) {
      steps.emplace_back(Chosen{steps.size()});
    } else if (name != nullptr) {
      steps.emplace_back(name->name);
    } else if (index != nullptr) {
      steps.emplace_back(index->index);
    } else if (std::holds_alternative<jsonpath::WildcardSelector>(selector)) {
      steps.emplace_back(EveryChild{});
    } else {
      steps.emplace_back(Chosen{steps.size()});
    }
  }
  return steps;
}

Result<std::vector<Node>> JsonPath::Choose(const Chosen& step, Node root, Node at,
                                           PathLimits limits) const {
  jsonpath::Collected collected(limits.results_max);
  jsonpath::Evaluation evaluation(root, limits);
  evaluation.Run({program_->query.segments.at(step.segment)}, at, collected);
  if (evaluation.failure()) return std::unexpected(*evaluation.failure());
  if (collected.overflowed) return jsonpath::TooManyResults(limits.results_max);
  return std::move(collected.nodes);
}

bool JsonPath::is_filter(const Chosen& step) const {
  const auto& segment = program_->query.segments.at(step.segment);
  return !segment.descendant && segment.selectors.size() == 1 &&
         std::holds_alternative<jsonpath::FilterSelector>(segment.selectors.front());
}

bool JsonPath::leaves_out() const {
  return std::ranges::any_of(program_->query.segments, [](const jsonpath::Segment& segment) {
    return std::ranges::any_of(segment.selectors, [](const jsonpath::Selector& selector) {
      return std::holds_alternative<jsonpath::FilterSelector>(selector) ||
             std::holds_alternative<jsonpath::SliceSelector>(selector);
    });
  });
}

}  // namespace patra
