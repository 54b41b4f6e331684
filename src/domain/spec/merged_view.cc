#include "domain/spec/merged_view.h"

#include <algorithm>

#include "base/duration.h"
#include "domain/spec/scalars.h"
#include "domain/spec/shape.h"

namespace patra::domain {
namespace {

// The keys that a level may hold at the top of an endpoint.
DefinitionNode KeysOfEndpoint(const DefinitionNode& node, Layer layer) {
  auto kept = DefinitionNode::Map(node.place);
  for (const auto& member : node.members) {
    const bool belongs = member.name != "operations" &&
                         std::ranges::find(EndpointShape().keys, member.name, &Key::name) !=
                             EndpointShape().keys.end();
    if (belongs) kept.Set(member.name, member.node);
  }
  SetLayer(kept, layer);
  return kept;
}

void MergeIn(DefinitionNode& merged, const DefinitionNode* level, Layer layer) {
  if (level != nullptr && level->is_map()) merged = Merge(merged, KeysOfEndpoint(*level, layer));
}

}  // namespace

MergedView MergedView::Of(const DefinitionNode& definition, const std::string& endpoint,
                          Operation operation, const DefinitionNode& trigger) {
  static const DefinitionNode kPlatform = PlatformDefaults();
  const auto* declared = definition.Find("endpoints")->Find(endpoint);
  PATRA_ASSERT(declared != nullptr);
  const auto operation_key = "operations." + LowerCode(domain::Code(operation));

  MergedView view;
  view.endpoint_ = endpoint;
  view.endpoint_place_ = declared->place;
  view.root_ = kPlatform;
  MergeIn(view.root_, &definition, Layer::kSource);
  MergeIn(view.root_, declared, Layer::kEndpoint);
  MergeIn(view.root_, definition.At(operation_key), Layer::kSubConfig);
  MergeIn(view.root_, declared->At(operation_key), Layer::kSubConfig);
  MergeIn(view.root_, &trigger, Layer::kTrigger);
  MergeIn(view.root_, trigger.At("endpoints." + endpoint), Layer::kTrigger);
  return view;
}

bool MergedView::IsDeclared(std::string_view path) const {
  const auto* node = At(path);
  return node != nullptr && node->layer != Layer::kPlatform;
}

Error MergedView::ErrorAt(std::string_view path, std::string message, std::string hint) const {
  // The nearest thing that somebody wrote: the value itself, or the block that it belongs into.
  auto place = endpoint_place_;
  for (auto at = path;; at = at.substr(0, at.rfind('.'))) {
    const auto* node = At(at);
    if (node != nullptr && node->layer != Layer::kPlatform && node->place.line > 0) {
      place = node->place;
      break;
    }
    if (at.find('.') == std::string_view::npos) break;
  }
  std::string pointer = "/endpoints/" + endpoint_ + "/" + std::string(path);
  std::ranges::replace(pointer, '.', '/');
  place.pointer = std::move(pointer);
  return {ErrorCode::kInvalidInput, std::move(message), std::move(place), std::move(hint)};
}

void MergedView::Complain(Findings& findings, std::string_view path, std::string message,
                          std::string hint) const {
  findings.problems.push_back(ErrorAt(path, std::move(message), std::move(hint)));
}

void MergedView::Warn(Findings& findings, std::string_view path, std::string message,
                      std::string hint) const {
  findings.warnings.push_back(ErrorAt(path, std::move(message), std::move(hint)));
}

NodeReader NodeReader::Part(std::string_view path) const { return NodeReader(Find(path)); }

std::optional<std::string> NodeReader::Text(std::string_view path) const {
  const auto* node = Find(path);
  if (node == nullptr || !node->is_scalar()) return std::nullopt;
  return node->text;
}

std::string NodeReader::Text(std::string_view path, std::string fallback) const {
  return Text(path).value_or(std::move(fallback));
}

bool NodeReader::Flag(std::string_view path, bool fallback) const {
  const auto text = Text(path);
  return text ? *text == "true" : fallback;
}

std::optional<std::int64_t> NodeReader::Integer(std::string_view path) const {
  const auto text = Text(path);
  const auto number = text ? ParseWholeNumber(*text) : Fail(ErrorCode::kNotFound, "");
  return number ? std::optional(*number) : std::nullopt;
}

double NodeReader::Number(std::string_view path, double fallback) const {
  const auto text = Text(path);
  return text ? ParseNumber(*text).value_or(fallback) : fallback;
}

double NodeReader::Part(std::string_view path, double fallback) const {
  const auto text = Text(path);
  return text ? ParsePart(*text).value_or(fallback) : fallback;
}

std::optional<Duration> NodeReader::Length(std::string_view path) const {
  const auto text = Text(path);
  const auto length = text ? ParseDuration(*text) : Fail(ErrorCode::kNotFound, "");
  return length ? std::optional(*length) : std::nullopt;
}

std::optional<std::string> NodeReader::Reference(std::string_view path) const {
  const auto text = Text(path);
  auto reference = text ? ParseReference(*text) : Fail(ErrorCode::kNotFound, "");
  return reference ? std::optional(*std::move(reference)) : std::nullopt;
}

std::vector<std::string> NodeReader::Texts(std::string_view path) const {
  std::vector<std::string> texts;
  const auto* node = Find(path);
  if (node == nullptr) return texts;
  for (const auto& item : node->items) {
    if (item.is_scalar()) texts.push_back(item.text);
  }
  return texts;
}

NamedTexts NodeReader::Named(std::string_view path) const {
  NamedTexts named;
  const auto* node = Find(path);
  if (node == nullptr) return named;
  for (const auto& member : node->members) {
    if (member.node.is_scalar()) named.emplace_back(member.name, member.node.text);
  }
  return named;
}

std::vector<StatusRange> NodeReader::Statuses(std::string_view path) const {
  std::vector<StatusRange> statuses;
  for (const auto& text : Texts(path)) {
    if (const auto range = ParseStatus(text)) statuses.push_back(*range);
  }
  return statuses;
}

std::optional<RateSpec> NodeReader::Rate(std::string_view path) const {
  const auto text = Text(path);
  const auto rate = text ? ParseRate(*text) : Fail(ErrorCode::kNotFound, "");
  return rate ? std::optional(*rate) : std::nullopt;
}

}  // namespace patra::domain
