#include "adapter/rest/router.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/integer.h"

namespace patra::adapter::rest {
namespace {

bool IsHole(std::string_view piece) { return piece.starts_with('{'); }

std::vector<std::string> PiecesOf(std::string_view path) {
  std::vector<std::string> pieces;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto end = std::min(path.find('/'), path.size());
    pieces.emplace_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return pieces;
}

bool Fits(const std::vector<std::string>& pieces, const std::vector<std::string>& path) {
  return std::ranges::equal(pieces, path, [](const std::string& piece, const std::string& given) {
    return IsHole(piece) || piece == given;
  });
}

// How much of it is no hole: /plans/counts goes before /plans/{id}.
std::ptrdiff_t Exactness(const std::vector<std::string>& pieces) {
  return std::ssize(pieces) - std::ranges::count_if(pieces, IsHole);
}

auto WrongArgument(const std::string& name, std::string what, std::string hint = {}) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("{}: {}", name, what), {}, std::move(hint));
}

Result<Value> ReadArgument(const Schema& schema, const std::string& name, const std::string& text) {
  Value value(text);
  if (schema.kind == Schema::Kind::kInteger) {
    const auto number = ParseInteger(text);
    if (!number) return WrongArgument(name, fmt::format("'{}' is no whole number", text));
    value = *number;
  } else if (schema.kind == Schema::Kind::kFlag) {
    if (text != "true" && text != "false")
      return WrongArgument(name, fmt::format("'{}' is neither true nor false", text));
    value = text == "true";
  }
  const auto checked = Check(schema, value, {});
  if (!checked) return WrongArgument(name, checked.error().message, checked.error().hint);
  return value;
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  std::ranges::stable_sort(routes_, std::greater{},
                           [](const Route& route) { return Exactness(PiecesOf(route.path)); });
  for (const auto& route : routes_) pieces_.push_back(PiecesOf(route.path));
}

Router::Found Router::Find(std::string_view method, const std::vector<std::string>& path) const {
  Found found;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (!Fits(pieces_[i], path)) continue;
    const auto name = Name(routes_[i].method);
    if (std::ranges::find(found.allowed, name) != found.allowed.end()) continue;
    found.allowed.emplace_back(name);
    if (name == "GET") found.allowed.emplace_back("HEAD");
    const bool is_it = name == method || (method == "HEAD" && name == "GET");
    if (is_it && found.route == nullptr) found.route = &routes_[i];
  }
  if (!found.allowed.empty()) found.allowed.emplace_back("OPTIONS");
  return found;
}

Result<Fields> Router::Arguments(const Route& route, const Target& target) {
  Fields fields;
  const auto pieces = PiecesOf(route.path);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!IsHole(pieces[i])) continue;
    const auto name = pieces[i].substr(1, pieces[i].size() - 2);
    const Schema schema{.kind = IsIdPiece(pieces[i]) ? Schema::Kind::kId : Schema::Kind::kText};
    fields.Set(name, PATRA_TRY(ReadArgument(schema, name, target.path[i])));
  }
  for (const auto& [name, text] : target.query) {
    const auto known = std::ranges::find(route.parameters, name, &Parameter::name);
    if (known == route.parameters.end()) {
      std::vector<std::string_view> names;
      for (const auto& parameter : route.parameters) names.push_back(parameter.name);
      return Fail(ErrorCode::kInvalidInput, fmt::format("there is no parameter '{}' here", name),
                  {},
                  DidYouMean(name, names,
                             names.empty() ? "this takes none"
                                           : fmt::format("there are: {}", fmt::join(names, ", "))));
    }
    if (fields.Has(name)) return WrongArgument(name, "it is given twice");
    // A script whose variable is empty does not mean everything.
    if (text.empty()) return WrongArgument(name, "it is empty", "give a value, or leave it out");
    fields.Set(name, PATRA_TRY(ReadArgument(known->schema, name, text)));
  }
  for (const auto& parameter : route.parameters) {
    if (fields.Has(parameter.name)) continue;
    if (parameter.is_required)
      return WrongArgument(parameter.name, "it is missing", parameter.schema.about);
    if (!parameter.standard.is_null()) fields.Set(parameter.name, parameter.standard);
  }
  return fields;
}

}  // namespace patra::adapter::rest
