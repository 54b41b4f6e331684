#include "app/schedule/default_targets.h"

#include <fmt/format.h>

#include "app/send/credentials.h"

namespace patra::app {
namespace {

std::string WordIn(const domain::DefinitionNode& definition, std::string_view key) {
  const auto* node = definition.Find(key);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

// Behind a proxy it is the proxy that is asked.
std::string WhyUnreachable(const domain::HttpSpec& http, const Transport& transport) {
  if (http.proxy) return {};
  const auto allowed = transport.Check(http.base_url);
  return allowed ? std::string() : allowed.error().Describe();
}

std::string WhatIsMissing(const domain::SpecSnapshot& spec, Secrets& secrets,
                          const Transport& transport) {
  if (const auto missing = LookAtCredentials(spec.auth, secrets).missing)
    return missing->Describe();
  if (!spec.http.contact) return WhyUnreachable(spec.http, transport);
  const auto contact = ResolveText(*spec.http.contact, secrets);
  if (!contact) return contact.error().Describe();
  return *contact ? WhyUnreachable(spec.http, transport)
                  : fmt::format("its contact is not set: {}", *spec.http.contact);
}

std::string WhyNotByDefault(const ResolvedSource& source, Secrets& secrets,
                            const Transport& transport) {
  switch (source.lifecycle) {
    case domain::Lifecycle::kRetired:
      return "its source is retired";
    case domain::Lifecycle::kDraft:
      return "its definition is a draft";
    case domain::Lifecycle::kActive:
    case domain::Lifecycle::kDeprecated:
      break;
  }
  return WhatIsMissing(source.spec, secrets, transport);
}

}  // namespace

std::vector<DefaultTarget> DefaultTargetsOf(const std::vector<domain::DefinitionNode>& definitions,
                                            Secrets& secrets, const Transport& transport,
                                            const ResolveScene& scene) {
  std::vector<DefaultTarget> targets;
  for (const auto& definition : definitions) {
    if (WordIn(definition, "abstract") == "true") continue;
    const auto source = WordIn(definition, "source");
    for (const auto& endpoint : EndpointsMeant(definition, domain::Operation::kHarvest)) {
      DefaultTarget target{.source = source, .endpoint = endpoint};
      const auto resolved = ResolveSource(definitions, {.target = source + "/" + endpoint}, scene);
      target.missing = resolved ? WhyNotByDefault(*resolved, secrets, transport)
                                : "its definition: " + resolved.error().front().Describe();
      targets.push_back(std::move(target));
    }
  }
  return targets;
}

}  // namespace patra::app
