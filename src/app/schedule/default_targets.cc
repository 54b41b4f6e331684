#include "app/schedule/default_targets.h"

#include <fmt/format.h>

#include "app/send/credentials.h"
#include "app/source/resolve_source.h"

namespace patra::app {
namespace {

// Empty where nothing is.
std::string WhatIsMissing(const domain::SpecSnapshot& spec, Secrets& secrets,
                          Transport& transport) {
  const auto credentials = LookAtCredentials(spec.auth, secrets);
  if (credentials.missing) return credentials.missing->message;
  if (spec.http.contact) {
    const auto contact = ResolveText(*spec.http.contact, secrets);
    if (!contact) return contact.error().message;
    if (!*contact) return fmt::format("the contact {} is not set", *spec.http.contact);
  }
  if (spec.http.proxy) return {};
  const auto reached = transport.Check(spec.http.base_url);
  return reached ? std::string() : reached.error().message;
}

}  // namespace

std::vector<DefaultTarget> DefaultTargets(const std::vector<domain::DefinitionNode>& definitions,
                                          Secrets& secrets, Transport& transport) {
  std::vector<DefaultTarget> targets;
  // Whether there is something to harvest by that name.
  const auto add = [&](const std::string& source, const std::optional<std::string>& endpoint) {
    const auto resolved = ResolveSource(
        definitions, {.target = endpoint ? fmt::format("{}/{}", source, *endpoint) : source});
    if (!resolved) return false;
    targets.push_back({.source = source,
                       .endpoint = endpoint,
                       .missing = WhatIsMissing(resolved->spec, secrets, transport)});
    return true;
  };
  for (const auto& definition : definitions) {
    const auto* source = definition.Find("source");
    const auto* endpoints = definition.Find("endpoints");
    if (source == nullptr || add(source->text, {}) || endpoints == nullptr) continue;
    for (const auto& endpoint : endpoints->members) add(source->text, endpoint.name);
  }
  return targets;
}

}  // namespace patra::app
