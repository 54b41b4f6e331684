// yaml-cpp reads a document into shared nodes: an alias is the same node again, so a small file can
// describe a huge tree. Ours is a real tree, which is why it counts what it copies. Repeated keys,
// which the library lets pass, are errors here: one of the two would be ignored silently.
#include "infra/definitions/yaml_files.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/utf8.h"

namespace patra::infra::definitions {
namespace {

using domain::DefinitionNode;

constexpr std::size_t kFileBytesMax = 1u << 20;
constexpr std::size_t kNodesMax = 100'000;
constexpr int kDepthMax = 64;
constexpr std::size_t kFilesMax = 10'000;

// The core schema of YAML 1.2: what a scalar without quotes is.
Value PlainValue(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  const auto* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, whole);
      error == std::errc() && at == end) {
    return whole;
  }
  const bool may_be_number = std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || std::string_view("+-.eE").find(c) != std::string_view::npos;
  });
  double number = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, number);
      may_be_number && error == std::errc() && at == end) {
    return number;
  }
  return text;
}

class Conversion {
 public:
  explicit Conversion(app::DefinitionFile& file) : file_(file) {}

  DefinitionNode Convert(const YAML::Node& node, int depth) {
    const auto place = PlaceOf(node.Mark());
    if (++nodes_ > kNodesMax || depth > kDepthMax) {
      if (!is_too_large_) Complain(place, "the definition is too large or nested too deeply");
      is_too_large_ = true;
      return {};
    }
    DefinitionNode converted{.place = place};
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar: {
        const bool is_plain = node.Tag() == "?" || node.Tag().empty();
        auto value = is_plain ? PlainValue(node.Scalar()) : Value(node.Scalar());
        if (!value.is_null())
          converted = DefinitionNode::Scalar(std::move(value), node.Scalar(), place);
        break;
      }
      case YAML::NodeType::Sequence:
        converted.kind = DefinitionNode::Kind::kList;
        for (const auto& item : node) converted.items.push_back(Convert(item, depth + 1));
        break;
      case YAML::NodeType::Map:
        converted.kind = DefinitionNode::Kind::kMap;
        for (const auto& pair : node) AddMember(pair.first, pair.second, depth, converted);
        break;
    }
    return converted;
  }

 private:
  void AddMember(const YAML::Node& key, const YAML::Node& node, int depth, DefinitionNode& into) {
    const auto place = PlaceOf(key.Mark());
    if (!key.IsScalar()) return Complain(place, "a key is a single word");
    const auto& name = key.Scalar();
    const auto known = std::ranges::find(into.members, name, &domain::DefinitionMember::name);
    if (known != into.members.end()) {
      return Complain(place, fmt::format("'{}' is there twice", name),
                      fmt::format("it is also in line {}", known->place.line));
    }
    into.members.push_back({name, place, Convert(node, depth + 1)});
  }

  Place PlaceOf(const YAML::Mark& mark) const {
    if (mark.is_null()) return {.file = file_.path};
    return {.file = file_.path, .line = mark.line + 1, .column = mark.column + 1};
  }

  void Complain(const Place& place, std::string message, std::string hint = {}) {
    file_.problems.push_back(
        {ErrorCode::kInvalidInput, std::move(message), place, std::move(hint)});
  }

  app::DefinitionFile& file_;
  std::size_t nodes_ = 0;
  bool is_too_large_ = false;
};

Error SeveralDocuments(const std::vector<YAML::Node>& documents, const std::string& file) {
  Place place{.file = file};
  if (const auto mark = documents[1].Mark(); !mark.is_null()) place.line = mark.line + 1;
  return {
      ErrorCode::kInvalidInput,
      fmt::format("the file has {} documents, and only the first would be read", documents.size()),
      std::move(place), "give each definition a file of its own, without `---`"};
}

// The line of a tab that indents something, up to the given one. The library speaks of what it misses behind it.
std::optional<int> TabBefore(std::string_view text, int last_line) {
  std::optional<int> found;
  for (int line = 1; !text.empty() && line <= last_line; ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto blanks = text.substr(0, std::min(text.find_first_not_of(" \t"), end));
    if (blanks.find('\t') != std::string_view::npos) found = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

Error NotYaml(const YAML::Exception& problem, const std::string& text, const std::string& file) {
  Place place{.file = file};
  if (const auto& mark = problem.mark; !mark.is_null()) {
    place.line = mark.line + 1;
    place.column = mark.column + 1;
  }
  if (const auto tab = TabBefore(text, place.line)) {
    return {ErrorCode::kInvalidInput,
            "this is not YAML: a tab indents the line",
            {.file = file, .line = *tab, .column = 1},
            "YAML is indented by blanks"};
  }
  return {ErrorCode::kInvalidInput, fmt::format("this is not YAML: {}", problem.msg),
          std::move(place)};
}

}  // namespace

app::DefinitionFile ParseYaml(const std::string& text, const std::string& file) {
  app::DefinitionFile read{.path = file};
  if (text.size() > kFileBytesMax) {
    read.problems.push_back({ErrorCode::kInvalidInput,
                             fmt::format("a definition has at most {} bytes", kFileBytesMax),
                             {.file = file}});
    return read;
  }
  if (const auto bad = FindInvalidUtf8(text); bad != std::string::npos) {
    auto place = PlaceOfOffset(text, bad);
    place.file = file;
    read.problems.push_back({ErrorCode::kInvalidInput, "the text is not UTF-8", std::move(place),
                             "save the file as UTF-8"});
    return read;
  }
  try {
    const auto documents = YAML::LoadAll(text);
    if (documents.empty()) return read;
    read.tree = Conversion(read).Convert(documents.front(), 0);
    if (documents.size() > 1) read.problems.push_back(SeveralDocuments(documents, file));
  } catch (const YAML::Exception& problem) {
    read.problems.push_back(NotYaml(problem, text, file));
  }
  return read;
}

std::string YamlFiles::Print(const DefinitionNode& tree) {
  YAML::Emitter out;
  const auto emit = [&](const auto& self, const DefinitionNode& node) -> void {
    switch (node.kind) {
      case DefinitionNode::Kind::kNull:
        out << YAML::Null;
        break;
      case DefinitionNode::Kind::kScalar:
        // Text that would be read as something else needs its quotes.
        if (node.scalar.AsString() != nullptr && PlainValue(node.text).AsString() == nullptr) {
          out << YAML::DoubleQuoted;
        }
        out << node.text;
        break;
      case DefinitionNode::Kind::kList:
        out << YAML::BeginSeq;
        for (const auto& item : node.items) self(self, item);
        out << YAML::EndSeq;
        break;
      case DefinitionNode::Kind::kMap:
        out << YAML::BeginMap;
        for (const auto& member : node.members) {
          out << YAML::Key << member.name << YAML::Value;
          self(self, member.node);
        }
        out << YAML::EndMap;
        break;
    }
  };
  emit(emit, tree);
  return std::string(out.c_str()) + "\n";
}

Result<std::string> YamlFiles::ReadText(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  // Reading a pipe waits for somebody to write, and a device may never end.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return Fail(ErrorCode::kInvalidInput, "this is no regular file", {.file = path});
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    const bool is_link =
        std::filesystem::is_symlink(std::filesystem::symlink_status(path, problem));
    return Fail(ErrorCode::kNotFound, "this cannot be read", {.file = path},
                is_link ? "it is a link that leads to nothing" : "is it there, and readable?");
  }
  // One byte more than allowed tells that there is more.
  std::string text(kFileBytesMax + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

app::DefinitionFile YamlFiles::Parse(const std::string& text, const std::string& path) {
  return ParseYaml(text, path);
}

Result<void> YamlFiles::Write(const std::string& path, const std::string& text) {
  const std::filesystem::path place(path);
  const auto draft = fmt::format("{}.{}.part", path, getpid());
  std::error_code failed;
  if (place.has_parent_path()) std::filesystem::create_directories(place.parent_path(), failed);
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream.good()) std::filesystem::rename(draft, place, failed);
  if (stream.good() && !failed) return {};
  std::filesystem::remove(draft, failed);
  return Fail(ErrorCode::kUnavailable, "this cannot be written", {.file = path},
              "check the folder, its permissions and the free space");
}

Result<app::DefinitionFile> YamlFiles::ReadFile(const std::string& path) {
  const auto text = ReadText(path);
  if (text) return ParseYaml(*text, path);
  if (text.error().code == ErrorCode::kNotFound) return std::unexpected(text.error());
  return app::DefinitionFile{.path = path, .problems = {text.error()}};
}

Result<std::vector<app::DefinitionFile>> YamlFiles::ReadFolder(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const auto& path = at->path();
    // Editors keep drafts and locks under hidden names.
    if (path.filename().string().starts_with('.')) continue;
    if (path.extension() == ".yaml" || path.extension() == ".yml") paths.push_back(path.string());
    if (paths.size() > kFilesMax) return Fail(ErrorCode::kLimit, "too many definitions");
  }
  if (failed) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("{} cannot be read: {}", folder, failed.message()), {},
                "name the folder of the definitions with --sources DIR");
  }
  std::ranges::sort(paths);
  std::vector<app::DefinitionFile> files;
  for (const auto& path : paths) {
    auto file = ReadFile(path);
    // The name is there, and leads to nothing.
    if (!file) file = app::DefinitionFile{.path = path, .problems = {file.error()}};
    files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace patra::infra::definitions
