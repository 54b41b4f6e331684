#include "base/value.h"

#include <cstddef>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/canonical_json.h"

namespace patra {
namespace {

// Reads characters and knows how many were read, which the parser does not tell its listener.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* place, std::size_t* read) : place_(place), read_(read) {}
  const char& operator*() const { return *place_; }
  CountingIterator& operator++() {
    ++place_;
    ++*read_;
    return *this;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.place_ == b.place_;
  }

 private:
  const char* place_;
  std::size_t* read_;
};

// Builds the tree while nlohmann's parser walks the text. It exists because the DOM parser of that
// library lets duplicate keys pass and has no depth limit.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, JsonLimits limits) : text_(text), limits_(limits) {}

  CountingIterator begin() { return {text_.data(), &read_}; }
  CountingIterator end() { return {text_.data() + text_.size(), &read_}; }

  bool null() override { return Add(Value()); }
  bool boolean(bool value) override { return Add(Value(value)); }
  bool number_integer(std::int64_t value) override { return Add(Value(value)); }
  bool number_unsigned(std::uint64_t value) override {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) return Add(Value(std::int64_t(value)));
    return Add(Value(static_cast<double>(value)));
  }
  bool number_float(double value, const std::string&) override { return Add(Value(value)); }
  bool string(std::string& text) override { return Add(Value(std::move(text))); }
  bool binary(nlohmann::json::binary_t&) override { return false; }

  bool start_object(std::size_t) override { return Open(Value(Value::Object{})); }
  bool start_array(std::size_t) override { return Open(Value(Value::Array{})); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(std::string& name) override {
    auto& members = *open_.back()->AsObject();
    if (members.contains(name)) {
      problem_ = Error{ErrorCode::kInvalidInput, fmt::format("the key \"{}\" appears twice", name),
                       LastToken()};
      return false;
    }
    member_ = &members[std::move(name)];
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    // The library's text is "[json.exception…] parse error at line 1, column 2: what"; only the
    // last part helps.
    std::string_view what = problem.what();
    if (const auto from = what.find("syntax error"); from != std::string_view::npos) {
      what = what.substr(from);
    } else if (const auto end_of_tag = what.find("] "); end_of_tag != std::string_view::npos) {
      what = what.substr(end_of_tag + 2);
    }
    problem_ = Error{ErrorCode::kInvalidInput, fmt::format("not valid JSON: {}", what),
                     PlaceOfOffset(text_, position == 0 ? 0 : position - 1)};
    return false;
  }

  Result<Value> Finish(bool complete) {
    if (complete) return std::move(root_);
    PATRA_ASSERT(problem_.has_value());
    return std::unexpected(*std::move(problem_));
  }

 private:
  // The last character of the token that was read last: the parser looks no further.
  Place LastToken() const { return PlaceOfOffset(text_, read_ == 0 ? 0 : read_ - 1); }

  Value* Slot() {
    if (open_.empty()) return &root_;
    if (auto* items = open_.back()->AsArray()) return &items->emplace_back();
    return member_;
  }

  bool Add(Value value) {
    *Slot() = std::move(value);
    return true;
  }

  bool Open(Value container) {
    if (static_cast<int>(open_.size()) >= limits_.depth_max) {
      problem_ = Error{ErrorCode::kLimit,
                       fmt::format("JSON is nested deeper than {} levels", limits_.depth_max),
                       LastToken()};
      return false;
    }
    auto* slot = Slot();
    *slot = std::move(container);
    open_.push_back(slot);
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  JsonLimits limits_;
  std::size_t read_ = 0;
  Value root_;
  std::vector<Value*> open_;  // stable: a container does not grow while its child is open
  Value* member_ = nullptr;
  std::optional<Error> problem_;
};

void Print(const Value& value, int indent, int level, std::string& out) {
  const auto line_break = [&](int depth) {
    if (indent <= 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
  };
  if (const auto* items = value.AsArray()) {
    out += '[';
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (i > 0) out += ',';
      line_break(level + 1);
      Print((*items)[i], indent, level + 1, out);
    }
    if (!items->empty()) line_break(level);
    out += ']';
  } else if (const auto* members = value.AsObject()) {
    out += '{';
    bool first = true;
    for (const auto& [name, member] : *members) {
      if (!first) out += ',';
      first = false;
      line_break(level + 1);
      AppendJsonString(name, out);
      out += indent > 0 ? ": " : ":";
      Print(member, indent, level + 1, out);
    }
    if (!members->empty()) line_break(level);
    out += '}';
  } else if (const auto* text = value.AsString()) {
    AppendJsonString(*text, out);
  } else if (const auto* integer = value.AsInteger()) {
    out += fmt::format_int(*integer).str();
  } else if (const auto* number = value.AsDouble()) {
    AppendJsonNumber(*number, out);
  } else if (const auto* flag = value.AsBool()) {
    out += *flag ? "true" : "false";
  } else {
    out += "null";
  }
}

}  // namespace

const Value* Value::Find(std::string_view name) const {
  const auto* members = AsObject();
  if (members == nullptr) return nullptr;
  const auto found = members->find(name);
  return found == members->end() ? nullptr : &found->second;
}

Value& Value::operator[](std::string_view name) {
  if (is_null()) content_ = Object{};
  auto* members = AsObject();
  PATRA_ASSERT(members != nullptr);
  const auto found = members->find(name);
  return found != members->end() ? found->second : (*members)[std::string(name)];
}

std::string_view Value::TypeName() const {
  switch (content_.index()) {
    case 0:
      return "null";
    case 1:
      return "boolean";
    case 2:
    case 3:
      return "number";
    case 4:
      return "string";
    case 5:
      return "array";
    default:
      return "object";
  }
}

Result<Value> ParseJson(std::string_view text, JsonLimits limits) {
  if (text.size() > limits.bytes_max) {
    return Fail(ErrorCode::kLimit, fmt::format("JSON of {} bytes is larger than the limit of {}",
                                               text.size(), limits.bytes_max));
  }
  // The parser takes a zero byte for the end of the text.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidInput, "not valid JSON: a zero byte", PlaceOfOffset(text, zero));
  }
  TreeBuilder builder(text, limits);
  const bool complete = nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder);
  return builder.Finish(complete);
}

std::string PrintJson(const Value& value, int indent) {
  std::string out;
  Print(value, indent, 0, out);
  return out;
}

}  // namespace patra
