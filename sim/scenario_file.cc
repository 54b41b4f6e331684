#include "sim/scenario_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <iterator>

namespace patra::sim {
namespace {

constexpr std::size_t kBytesMax = 1u << 20;
constexpr int kDepthMax = 16;
constexpr std::size_t kNodesMax = 100'000;

class Converter {
 public:
  explicit Converter(std::string_view file) : file_(file) {}

  Result<Value> Convert(const YAML::Node& node, int depth) {
    if (depth > kDepthMax || ++nodes_ > kNodesMax) {
      return Fail(ErrorCode::kLimit, "the file is nested too deeply or too large", PlaceOf(node));
    }
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return ConvertScalar(node);
      case YAML::NodeType::Sequence:
        return ConvertSequence(node, depth);
      case YAML::NodeType::Map:
        return ConvertMap(node, depth);
      default:
        return Value();
    }
  }

 private:
  Place PlaceOf(const YAML::Node& node) const {
    return {
        .file = std::string(file_), .line = node.Mark().line + 1, .column = node.Mark().column + 1};
  }

  static Value ConvertScalar(const YAML::Node& node) {
    const auto& text = node.Scalar();
    if (node.Tag() == "!") return Value(text);  // it was quoted
    // A plain scalar that reads as a JSON number, boolean or null is one.
    auto value = ParseJson(text);
    const bool plain = value && !value->AsString() && !value->AsArray() && !value->AsObject();
    return plain ? std::move(*value) : Value(text);
  }

  Result<Value> ConvertSequence(const YAML::Node& node, int depth) {
    Value::Array items;
    for (const auto& item : node) items.push_back(PATRA_TRY(Convert(item, depth + 1)));
    return Value(std::move(items));
  }

  Result<Value> ConvertMap(const YAML::Node& node, int depth) {
    Value::Object members;
    for (const auto& member : node) {
      if (!member.first.IsScalar()) {
        return Fail(ErrorCode::kInvalidInput, "a key must be a text", PlaceOf(member.first));
      }
      const auto& name = member.first.Scalar();
      if (members.contains(name)) {
        return Fail(ErrorCode::kInvalidInput, fmt::format("the key '{}' comes twice", name),
                    PlaceOf(member.first));
      }
      members[name] = PATRA_TRY(Convert(member.second, depth + 1));
    }
    return Value(std::move(members));
  }

  std::string_view file_;
  std::size_t nodes_ = 0;
};

}  // namespace

Result<Value> ParseYaml(std::string_view text, std::string_view file_name) {
  if (text.size() > kBytesMax) return Fail(ErrorCode::kLimit, "the file is larger than 1 MB");
  try {
    return Converter(file_name).Convert(YAML::Load(std::string(text)), 0);
  } catch (const YAML::Exception& problem) {
    return Fail(ErrorCode::kInvalidInput, problem.msg,
                {.file = std::string(file_name),
                 .line = problem.mark.line + 1,
                 .column = problem.mark.column + 1});
  }
}

Result<Value> ReadScenario(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(ErrorCode::kNotFound, "cannot read the scenario", {.file = path});
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return ParseYaml(text, path);
}

}  // namespace patra::sim
