// One endpoint's part of a definition with all levels merged, read by type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "domain/spec/definition.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/codes.h"
#include "domain/word/operation.h"

namespace patra::domain {

// What a compilation has found out.
struct Findings {
  std::vector<Error> problems{};
  std::vector<Error> warnings{};  // degradations: it works, but not as well as it could
};

class MergedView {
 public:
  // Merges platform → source → endpoint → sub-config → trigger. `definition` and `trigger` went
  // through CheckShape. REQUIRES: the definition has the endpoint
  static MergedView Of(const DefinitionNode& definition, const std::string& endpoint,
                       Operation operation, const DefinitionNode& trigger);

  const DefinitionNode& root() const { return root_; }
  const std::string& endpoint() const { return endpoint_; }

  // Paths are names divided by dots. What is absent or of the wrong kind gives the fallback:
  // CheckShape has complained about the latter.
  const DefinitionNode* At(std::string_view path) const { return root_.At(path); }
  bool Has(std::string_view path) const { return At(path) != nullptr; }

  // Whether a level above the platform says it.
  bool IsDeclared(std::string_view path) const;

  void Complain(Findings& findings, std::string_view path, std::string message,
                std::string hint = {}) const;
  void Warn(Findings& findings, std::string_view path, std::string message,
            std::string hint = {}) const;

 private:
  Error ErrorAt(std::string_view path, std::string message, std::string hint) const;

  DefinitionNode root_;
  std::string endpoint_;
  Place endpoint_place_;
};

// Members of a node by type, with what to use where they are absent.
class NodeReader {
 public:
  explicit NodeReader(const DefinitionNode* node) : node_(node) {}

  const DefinitionNode* node() const { return node_; }
  NodeReader Part(std::string_view path) const;

  std::optional<std::string> Text(std::string_view path) const;
  std::string Text(std::string_view path, std::string fallback) const;
  bool Flag(std::string_view path, bool fallback) const;
  std::optional<std::int64_t> Integer(std::string_view path) const;
  double Number(std::string_view path, double fallback) const;
  double Part(std::string_view path, double fallback) const;
  std::optional<Duration> Length(std::string_view path) const;
  std::optional<std::string> Reference(std::string_view path) const;
  std::vector<std::string> Texts(std::string_view path) const;
  NamedTexts Named(std::string_view path) const;
  std::vector<StatusRange> Statuses(std::string_view path) const;
  std::optional<RateSpec> Rate(std::string_view path) const;

  template <CodedEnum E>
  E Code(std::string_view path, E fallback) const {
    const auto text = Text(path);
    return text ? FindCode<E>(*text).value_or(fallback) : fallback;
  }
  template <CodedEnum E>
  std::vector<E> Codes(std::string_view path) const {
    std::vector<E> codes;
    for (const auto& text : Texts(path)) {
      if (const auto code = FindCode<E>(text)) codes.push_back(*code);
    }
    return codes;
  }

 private:
  const DefinitionNode* Find(std::string_view path) const {
    return node_ == nullptr ? nullptr : node_->At(path);
  }

  const DefinitionNode* node_;
};

}  // namespace patra::domain
