// JSONPath as RFC 9535 defines it: every selector, filters, the five functions, normalized paths.
//
//   const auto doi = PATRA_TRY(JsonPath::Compile("$.message.items[*].DOI"));
//   for (const auto node : PATRA_TRY(doi.Select(page.root()))) …
//
// A compiled path is immutable: copies share it, threads may use it at the same time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/document.h"
#include "base/path_limits.h"
#include "base/result.h"

namespace patra {

struct LocatedNode {
  Node node;
  std::string path;  // normalized (RFC 9535 §2.7): $['message']['items'][0]
};

// A member's name or an item's index, and the normalized path that a way of them is.
using PathPiece = std::variant<std::string_view, std::size_t>;
std::string NormalizedPath(const std::vector<PathPiece>& pieces);

class JsonPath {
 public:
  // The error's place has the column of the offending character, its hint what was expected there.
  static Result<JsonPath> Compile(std::string_view text);

  // The nodes in the order of RFC 9535; members in the order of the document. A node that two
  // selectors choose is there twice. Reaching a limit is an error, never a shorter list.
  Result<std::vector<Node>> Select(Node root, PathLimits limits = {}) const;
  Result<std::vector<LocatedNode>> SelectLocated(Node root, PathLimits limits = {}) const;

  // The first of them. A singular path allocates nothing and cannot fail; others stop at the first.
  Result<std::optional<Node>> First(Node root, PathLimits limits = {}) const;

  // At most one node by its form: only names and indexes, like $.message['next-cursor'].
  bool singular() const;

  std::string_view text() const;

  // The way to records, one step per segment; base/json_items.h follows it. A name, an index and a wildcard leave nothing
  // out; whatever else a segment may be, Choose follows it.
  struct EveryChild {
    friend bool operator==(const EveryChild&, const EveryChild&) = default;
  };
  struct Chosen {
    std::size_t segment = 0;
    friend bool operator==(const Chosen&, const Chosen&) = default;
  };
  using Step = std::variant<std::string, std::int64_t, EveryChild, Chosen>;
  std::vector<Step> StepsToItems() const;

  // What one segment selects in a node below `root`. REQUIRES: the path has that segment
  Result<std::vector<Node>> Choose(const Chosen& step, Node root, Node at,
                                   PathLimits limits = {}) const;

  // Whether the segment is a filter, which takes each child or passes it over. REQUIRES: the path has that segment
  bool is_filter(const Chosen& step) const;

  // Whether a filter or a slice says which of several nodes are meant: the others are left out.
  bool leaves_out() const;

 private:
  struct Program;
  explicit JsonPath(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;  // shared by the copies of this path
};

}  // namespace patra
