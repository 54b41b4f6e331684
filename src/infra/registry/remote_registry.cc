#include "infra/registry/remote_registry.h"

#include <fmt/format.h>

#include "base/placement.h"
#include "base/time.h"
#include "base/url.h"
#include "domain/spec/field_dictionary.h"

namespace patra::infra::registry {
namespace {

constexpr std::size_t kBodyBytesMax = std::size_t{16} << 20;
constexpr Duration kConnectWithin = std::chrono::seconds(5);
constexpr Duration kAnswerWithin = std::chrono::seconds(20);
constexpr std::string_view kFieldsFile = "dictionary/fields";

auto ReadOnly() {
  return Fail(ErrorCode::kRefused, "the registry of another machine is only read from here", {},
              "apply definitions on the machine that serves it");
}

bool IsThisMachine(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == "::1";
}

std::string TextIn(const Value& value, std::string_view name) {
  const auto* member = value.Find(name);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  return text == nullptr ? std::string() : *text;
}

const Value::Array* ItemsOf(const Value& value) {
  const auto* items = value.Find("items");
  return items == nullptr ? nullptr : items->AsArray();
}

// What a machine says that is no patra, or one of another version.
auto Unknown(const std::string& url) {
  return Fail(ErrorCode::kCorruption,
              fmt::format("{} does not answer as the registry of this version of patra does", url),
              {}, "both machines need the same version");
}

}  // namespace

Result<RemoteAddress> CheckAddress(RemoteAddress address) {
  const auto url = PATRA_TRY(ParseUrl(address.url));
  while (address.url.ends_with('/')) address.url.pop_back();
  const bool is_plain = url.scheme == "http" && IsThisMachine(url.host);
  if (!is_plain && url.scheme != "https")
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the registry at {} would hear the token in clear text", address.url),
                {}, "write https://…; http:// is for this machine alone");
  const auto& token = address.token;
  const bool is_reference = token.starts_with("${env:") || token.starts_with("${file:") ||
                            token.starts_with("env:") || token.starts_with("file:");
  if (!token.empty() && !is_reference)
    return Fail(ErrorCode::kInvalidInput, "the token of the registry stands in clear text", {},
                "name it as ${env:NAME} or ${file:PATH}");
  return address;
}

Result<std::optional<Value>> RemoteRegistry::Ask(const std::string& path,
                                                 const std::string& known_version) {
  const auto url = address_.url + "/api/v1/registry/" + path;
  app::HttpRequest request{.url = url,
                           .headers = {{"Accept", "application/json"}},
                           .way = {.connect_timeout = kConnectWithin,
                                   .read_timeout = kAnswerWithin,
                                   .total_timeout = kAnswerWithin,
                                   .body_bytes_max = kBodyBytesMax}};
  if (!address_.token.empty())
    request.headers.emplace_back("Authorization",
                                 "Bearer " + PATRA_TRY(secrets_.Resolve(address_.token)));
  if (!known_version.empty())
    request.headers.emplace_back("If-None-Match", fmt::format("\"{}\"", known_version));
  auto answered = transport_.Send(request);
  if (!answered)
    return std::unexpected(
        std::move(answered).error().While("asking the registry at " + address_.url));
  const auto& answer = *answered;
  if (answer.status == 304 && !known_version.empty()) return std::nullopt;
  if (answer.status == 401 || answer.status == 403)
    return Fail(ErrorCode::kRefused,
                fmt::format("the registry at {} does not accept our token ({})", address_.url,
                            answer.status),
                {}, "a viewer's token is enough: plan.registry_token names where it is");
  if (answer.status == 429 || answer.status >= 500)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("the registry at {} answers with {}", address_.url, answer.status), {},
                "try again later");
  if (answer.status != 200) return Unknown(address_.url);
  auto value = ParseJson(answer.body, {.bytes_max = kBodyBytesMax, .depth_max = 32});
  if (!value || value->AsObject() == nullptr) return Unknown(address_.url);
  return *std::move(value);
}

Result<std::optional<app::RegisteredSource>> RemoteRegistry::Find(
    const std::string& source, Instant /*at*/, const std::string& known_version) {
  const auto value = PATRA_TRY(Ask("sources/" + PercentEncode(source), known_version));
  if (!value) return std::nullopt;
  app::RegisteredSource found{.version = TextIn(*value, "version")};
  if (TextIn(*value, "source") != source || found.version.empty()) return Unknown(address_.url);
  if (const auto until = TextIn(*value, "until"); !until.empty())
    found.until = PATRA_TRY(ParseRfc3339(until));
  const auto text = TextIn(*value, "text");
  if (text.empty()) return found;
  auto file = files_.Parse(text, address_.url + "/" + source);
  if (!file.problems.empty()) return Unknown(address_.url);
  found.definition = std::move(file.tree);
  return found;
}

Result<domain::CodeDictionary> RemoteRegistry::Codes() {
  const auto value = PATRA_TRY(Ask("codes"));
  const auto* items = value ? ItemsOf(*value) : nullptr;
  if (items == nullptr) return Unknown(address_.url);
  domain::CodeDictionary dictionary;
  for (const auto& item : *items) {
    const auto type = TextIn(item, "type");
    const auto code = TextIn(item, "code");
    const auto* enabled = item.Find("enabled");
    const auto* aliases = item.Find("aliases");
    const bool is_whole = !type.empty() && !code.empty() && enabled != nullptr &&
                          enabled->AsBool() != nullptr && aliases != nullptr &&
                          aliases->AsArray() != nullptr;
    if (!is_whole) return Unknown(address_.url);
    dictionary.AddItem(type, code, *enabled->AsBool());
    for (const auto& alias : *aliases->AsArray()) {
      if (const auto* text = alias.AsString()) dictionary.AddAlias(type, *text, code);
    }
  }
  return dictionary;
}

Result<std::vector<app::DefinitionFile>> RemoteRegistry::AskForAll(Instant at) {
  const auto value = PATRA_TRY(Ask("export?at=" + PercentEncode(FormatRfc3339Micros(at))));
  const auto* items = value ? ItemsOf(*value) : nullptr;
  if (items == nullptr) return Unknown(address_.url);
  std::vector<app::DefinitionFile> all;
  for (const auto& item : *items) {
    all.push_back(files_.Parse(TextIn(item, "text"), TextIn(item, "name")));
    if (all.back().path.empty() || !all.back().problems.empty()) return Unknown(address_.url);
  }
  return all;
}

Result<std::vector<std::string>> RemoteRegistry::Names(Instant at) {
  std::vector<std::string> names;
  for (auto& file : PATRA_TRY(AskForAll(at))) {
    if (file.path != kFieldsFile) names.push_back(std::move(file.path));
  }
  return names;
}

Result<std::vector<domain::DefinitionNode>> RemoteRegistry::Export(Instant at) {
  std::vector<domain::DefinitionNode> definitions;
  for (auto& file : PATRA_TRY(AskForAll(at))) {
    if (file.path != kFieldsFile) definitions.push_back(std::move(file.tree));
  }
  return definitions;
}

Result<std::vector<domain::QueryField>> RemoteRegistry::Fields() {
  const auto value = PATRA_TRY(Ask("export"));
  const auto* items = value ? ItemsOf(*value) : nullptr;
  if (items == nullptr) return Unknown(address_.url);
  for (const auto& item : *items) {
    if (TextIn(item, "name") != kFieldsFile) continue;
    const auto file = files_.Parse(TextIn(item, "text"), std::string(kFieldsFile));
    std::vector<Error> problems = file.problems;
    auto fields = domain::ReadFieldDictionary(file.tree, problems);
    if (!problems.empty()) return Unknown(address_.url);
    return fields;
  }
  return Unknown(address_.url);
}

Result<std::vector<app::RegistryChange>> RemoteRegistry::Diff(const app::RegistryContent&) {
  return ReadOnly();
}

Result<std::vector<app::RegistryChange>> RemoteRegistry::Apply(const app::RegistryContent&,
                                                               Instant) {
  return ReadOnly();
}

Result<std::vector<app::RegistryChange>> RemoteRegistry::Promote(Instant) { return ReadOnly(); }

Result<std::vector<app::RegistryChange>> RemoteRegistry::Drop(Instant) { return ReadOnly(); }

}  // namespace patra::infra::registry
