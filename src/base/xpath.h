// XPath 1.0 over XML documents, with namespaces as they were meant: by URI.
//
//   const auto ids = PATRA_TRY(XPath::Compile("//oai:record/oai:header/oai:identifier",
//                                             {{"oai", "http://www.openarchives.org/OAI/2.0/"}}));
//
// A prefixed name matches elements and attributes of the URI declared for the prefix, whatever
// prefix the document uses; a prefix that is not declared is an error. An unprefixed element name
// matches the URI declared for the prefix "" if there is one; else it matches by local name in
// whatever namespace, because "no namespace", as XPath 1.0 has it, finds nothing in an Atom or OAI
// page and tells nobody why. Unprefixed attributes are in no namespace, as everywhere in XML.
//
// A compiled path is immutable: copies share it, threads may use it at the same time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "base/path_limits.h"
#include "base/result.h"

namespace patra {

using Namespaces = std::map<std::string, std::string>;  // prefix → URI

class XPath {
 public:
  // The error's place has the column of the offending character.
  static Result<XPath> Compile(std::string_view text, const Namespaces& namespaces = {});

  // Whether the expression selects nodes; else it computes a string, number or boolean.
  bool selects_nodes() const;

  // Elements, attributes and text in document order. The context of relative paths is `context`,
  // absolute ones start at its document. On anything but XML there is nothing to select.
  // REQUIRES: selects_nodes()
  Result<std::vector<Node>> Select(Node context, PathLimits limits = {}) const;
  Result<std::optional<Node>> First(Node context, PathLimits limits = {}) const;

  // What count(…), string(…), a = b and their like compute; numbers that are whole come as
  // integers, and NaN as null. REQUIRES: !selects_nodes()
  Result<Value> Compute(Node context, PathLimits limits = {}) const;

  std::string_view text() const;

 private:
  struct Program;
  explicit XPath(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;  // shared by the copies of this path
};

}  // namespace patra
