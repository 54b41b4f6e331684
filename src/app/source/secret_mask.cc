#include "app/source/secret_mask.h"

#include "base/base64.h"
#include "domain/spec/scalars.h"

namespace patra::app {
namespace {

// However much is written.
constexpr Duration kLearnEvery = std::chrono::seconds(10);

class SecretsInDefinitions {
 public:
  SecretsInDefinitions(Secrets& secrets, Redactor& redactor)
      : secrets_(secrets), redactor_(redactor) {}

  void LearnIn(const domain::DefinitionNode& node) {
    for (const auto& item : node.items) LearnIn(item);
    for (const auto& member : node.members) {
      if (member.name == "auth") LearnOf(member.node);
      LearnIn(member.node);
    }
  }

 private:
  void LearnOf(const domain::DefinitionNode& auth) {
    if (const auto* keys = auth.Find("keys")) {
      Learn(SecretAt(keys));
      for (const auto& key : keys->items) Learn(SecretAt(&key));
    }
    Learn(SecretAt(auth.Find("client_secret")));
    const auto password = SecretAt(auth.Find("password"));
    Learn(password);
    const auto username = SecretAt(auth.Find("username"));
    if (username.empty() || password.empty()) return;
    Learn(username + ":" + password);
    Learn(Base64(username + ":" + password));
  }

  // Empty where it is no reference, or nothing is set there.
  std::string SecretAt(const domain::DefinitionNode* node) {
    if (node == nullptr || !node->is_scalar()) return {};
    const auto reference = domain::ParseReference(node->text);
    if (!reference) return {};
    return secrets_.Resolve(*reference).value_or(std::string());
  }

  void Learn(const std::string& secret) { redactor_.Learn(secret); }

  Secrets& secrets_;
  Redactor& redactor_;
};

}  // namespace

std::string SecretMask::Mask(const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    const auto now = ports_.clock.Elapsed();
    if (!learned_at_ || now - *learned_at_ >= kLearnEvery) {
      LearnAll();
      learned_at_ = now;
    }
  }
  return ports_.redactor.WithoutSecrets(text);
}

void SecretMask::LearnAll() {
  SecretsInDefinitions found(ports_.secrets, ports_.redactor);
  if (const auto stored = ports_.registry.Export(ports_.clock.Now())) {
    for (const auto& definition : *stored) found.LearnIn(definition);
  }
  if (ports_.sources_folder.empty()) return;
  if (const auto files = ports_.files.ReadFolder(ports_.sources_folder)) {
    for (const auto& file : *files) found.LearnIn(file.tree);
  }
}

}  // namespace patra::app
