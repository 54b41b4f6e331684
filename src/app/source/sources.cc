#include "app/source/sources.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/send/credentials.h"
#include "app/source/derive_source.h"
#include "app/source/resolve_source.h"
#include "app/source/test_source.h"
#include "domain/spec/definition_guide.h"
#include "domain/spec/merged_view.h"
#include "domain/spec/scalars.h"
#include "domain/spec/shape.h"

namespace patra::app {
namespace {

// Credentials that are set here and are too short to be kept out of records.
std::vector<Error> ShortSecrets(const CatalogEntry& entry, const domain::AuthSpec& auth,
                                Secrets& secrets) {
  std::vector<Error> warnings;
  for (const auto& name : ShortCredentials(auth, secrets)) {
    warnings.push_back({ErrorCode::kInvalidInput,
                        fmt::format("the credential {} has fewer than {} bytes", name,
                                    Redactor::kSecretInDataBytesMin),
                        {.file = entry.file, .pointer = "/auth"},
                        "it is masked in logs and messages, not in records and raw pages that "
                        "happen to contain it: use a longer one"});
  }
  return warnings;
}

// Credentials that are not set here: who checks a definition is about to use it.
std::vector<Error> UnsetSecrets(const CatalogEntry& entry, const domain::AuthSpec& auth,
                                Secrets& secrets) {
  std::vector<Error> warnings;
  for (const auto& note : LookAtCredentials(auth, secrets).notes)
    warnings.push_back(
        {ErrorCode::kInvalidInput, note, {.file = entry.file, .pointer = "/auth"}, {}});
  return warnings;
}

}  // namespace

Result<DerivedSource> Sources::Derive(const std::string& base, const std::string& url,
                                      bool may_write) {
  return DeriveSource(files_,
                      {.base = base, .url = url, .folder = folder_, .may_write = may_write});
}

Result<void> Sources::CheckName(const std::string& name) { return domain::CheckName(name); }

Result<std::string> Sources::ReadDefinition(const std::string& source) {
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files_, folder_));
  const auto* entry = PATRA_TRY(catalog.Find(source));
  return files_.ReadText(entry->file);
}

std::string Sources::Schema() { return PrintJson(domain::SourceSchema(), 2) + "\n"; }

std::string Sources::Guide() { return domain::DefinitionGuide(); }

Result<std::vector<SourceSummary>> Sources::List() {
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files_, folder_));
  std::vector<SourceSummary> summaries;
  for (const auto& entry : catalog.entries()) {
    const domain::NodeReader tree(&entry.definition.tree);
    summaries.push_back({.source = entry.definition.source(),
                         .name = tree.Text("name", ""),
                         .file = entry.file,
                         .endpoints = entry.definition.endpoints(),
                         .is_abstract = entry.definition.is_abstract(),
                         .problems = CheckEntry(entry).problems.size()});
  }
  return summaries;
}

Result<SourceCheck> Sources::Check(const std::optional<std::string>& source) {
  if (source) PATRA_TRY(RefuseFileName(*source));
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files_, folder_));
  const auto* only = source ? PATRA_TRY(catalog.Find(*source)) : nullptr;
  const auto dictionary = PATRA_TRY(ReadFieldsFile(files_, folder_));
  SourceCheck check{.problems = dictionary.problems};
  for (const auto& entry : catalog.entries()) {
    // Whoever is defined twice has two entries, of which the second says so.
    const bool is_namesake = source && entry.definition.source() == *source;
    if (only != nullptr && only != &entry && !is_namesake) continue;
    if (dictionary.fields) {
      const auto unknown = UnknownFields(entry, *dictionary.fields);
      check.warnings.insert(check.warnings.end(), unknown.begin(), unknown.end());
    }
    const auto findings = CheckEntry(entry);
    if (findings.auth && secrets_ != nullptr) {
      const auto secrets = ShortSecrets(entry, *findings.auth, *secrets_);
      check.warnings.insert(check.warnings.end(), secrets.begin(), secrets.end());
      AddNew(check.warnings, UnsetSecrets(entry, *findings.auth, *secrets_));
    }
    ++check.definitions;
    check.endpoints += findings.compiled;
    AddNew(check.problems, findings.problems);
    AddNew(check.warnings, findings.warnings);
  }
  return check;
}

Result<CompiledReport> Sources::Compile(const std::string& target,
                                        const std::vector<std::string>& overrides) {
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files_, folder_));
  const auto slash = target.find('/');
  const auto* entry = PATRA_TRY(catalog.Find(target.substr(0, slash)));
  CompiledReport report{.source = entry->definition.source()};
  const auto endpoints = entry->definition.endpoints();
  report.endpoint = slash != std::string::npos ? target.substr(slash + 1)
                    : endpoints.empty()        ? ""
                                               : endpoints.front();
  // What is wrong with others is no matter here.
  std::ranges::copy_if(entry->definition.problems, std::back_inserter(report.problems),
                       [&](const Error& problem) {
                         const auto endpoint = EndpointIn(problem.place.pointer);
                         return !endpoint || *endpoint == report.endpoint;
                       });

  auto trigger = OverridesFor(report.source, overrides, report.problems);
  const auto operation = [&] {
    const auto* role = entry->definition.tree.At("endpoints." + report.endpoint + ".role");
    return role != nullptr && role->text == "detail" ? domain::Operation::kUpdate
                                                     : domain::Operation::kHarvest;
  }();
  const auto compiled = domain::CompileSource({.definition = entry->definition.tree,
                                               .endpoint = report.endpoint,
                                               .operation = operation,
                                               .trigger = std::move(trigger)});
  if (!compiled) {
    report.problems.insert(report.problems.end(), compiled.error().begin(), compiled.error().end());
    return report;
  }
  report.snapshot = PrintJson(compiled->spec.ToValue(), 2);
  report.spec_fingerprint = SpecFingerprint(compiled->spec);
  report.expr_proto_hash = ExprPrototypeHash(compiled->spec);
  report.warnings = compiled->warnings;
  for (const auto& origin : compiled->origins) {
    auto place = origin.place;
    place.pointer.clear();
    report.origins.push_back(
        {origin.path, origin.text, std::string(Name(origin.layer)), place.Describe()});
  }
  return report;
}

Result<std::vector<ExchangeReport>> Sources::Test(const std::string& source) {
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files_, folder_));
  const auto* entry = PATRA_TRY(catalog.Find(source));
  const auto findings = CheckEntry(*entry);
  if (!findings.of_file.empty()) return std::unexpected(findings.of_file.front());
  const auto file =
      PATRA_TRY(files_.ReadFile(fmt::format("{}/exchanges/{}.yaml", folder_, source)));
  if (!file.problems.empty()) return std::unexpected(file.problems.front());
  return TestSource(*entry, findings, file.tree);
}

}  // namespace patra::app
