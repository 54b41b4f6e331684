// A snapshot with all that can be made of it before the first request: parsed templates, compiled paths and error
// rules, and the rules of the gate.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "domain/spec/source_rules.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

class PageReader;         // domain/page/page_reader.h
struct RequestTemplates;  // domain/source/request_templates.h

// Immutable: threads may use it at the same time. Copies share what is compiled.
class CompiledSource {
 public:
  // An error where a template, a path, a pattern or a limit of the snapshot is none.
  static Result<CompiledSource> Compile(SpecSnapshot spec);

  const SpecSnapshot& spec() const { return spec_; }

  // The same in pages of that size, which nothing compiled depends on: a run may choose its own.
  CompiledSource InPagesOf(std::int64_t size) const;

  const PageReader& reader() const;

  // REQUIRES, of all that follows: spec().details for kDetail
  const RequestTemplates& request(Phase phase) const;
  GateTarget TargetOf(Phase phase, std::string credential = {}) const;
  // Made anew only where a provider's day depends on the time of year.
  GateRules RulesFor(Phase phase, const Asker& asker) const;

 private:
  struct OfPhase;
  struct Parts;

  CompiledSource(SpecSnapshot spec, std::shared_ptr<const Parts> parts)
      : spec_(std::move(spec)), parts_(std::move(parts)) {}

  static Result<OfPhase> CompilePhase(const SpecSnapshot& spec, Phase phase);
  const OfPhase& Of(Phase phase) const;

  SpecSnapshot spec_;
  std::shared_ptr<const Parts> parts_;  // shared by the copies of this source
};

}  // namespace patra::domain
