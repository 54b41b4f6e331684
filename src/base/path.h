// A path into a page, whichever language suits the page: JSONPath for JSON, XPath for XML. For code
// that maps fields and does not care.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/document.h"
#include "base/json_path.h"
#include "base/path_limits.h"
#include "base/result.h"
#include "base/value.h"
#include "base/xpath.h"

namespace patra {

enum class PathLanguage { kJsonPath, kXPath };

struct PathOptions {
  PathLanguage language = PathLanguage::kJsonPath;
  Namespaces namespaces;  // for XPath
};

// Keeps what XPath expressions like string(…) compute: nodes that they yield point in here. One per
// record is right; Clear() it for the next. JSONPath never puts anything in.
class Computed {
 public:
  Node Keep(Value value) { return Node(values_.emplace_back(std::move(value))); }
  void Clear() { values_.clear(); }

 private:
  std::deque<Value> values_;  // a deque, because its elements stay where they are
};

class Path {
 public:
  static Result<Path> Compile(std::string_view text, const PathOptions& options = {});

  // The nodes below `context`, at which $ and relative XPaths start. They are valid while the
  // document and `computed` live.
  Result<std::vector<Node>> Select(Node context, Computed& computed, PathLimits limits = {}) const;
  Result<std::optional<Node>> First(Node context, Computed& computed, PathLimits limits = {}) const;

  // At most one node by its form: a JSONPath of names and indexes, an XPath that computes.
  bool is_singular() const;

  PathLanguage language() const;
  std::string_view text() const;

 private:
  explicit Path(std::variant<JsonPath, XPath> path) : path_(std::move(path)) {}

  std::variant<JsonPath, XPath> path_;
};

}  // namespace patra
