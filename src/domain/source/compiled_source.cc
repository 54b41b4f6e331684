#include "domain/source/compiled_source.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "domain/page/page_reader.h"
#include "domain/source/request_templates.h"

namespace patra::domain {
namespace {

constexpr auto kPriorities =
    std::to_array({GatePriority::kHarvest, GatePriority::kUpdate, GatePriority::kBackfill});

bool CountsByZone(const std::vector<LimitSpec>& limits) {
  return std::ranges::any_of(limits,
                             [](const LimitSpec& limit) { return limit.quota_zone.has_value(); });
}

bool DependOnTime(const SpecSnapshot& spec) {
  return CountsByZone(spec.limits) || (spec.details && CountsByZone(spec.details->limits));
}

}  // namespace

struct CompiledSource::OfPhase {
  RequestTemplates request;
  GateTarget target;  // without a credential
  std::array<GateRules, kPriorities.size()> rules{};
};

struct CompiledSource::Parts {
  PageReader reader;
  OfPhase search;
  std::optional<OfPhase> detail;
  bool rules_depend_on_time = false;
};

Result<CompiledSource::OfPhase> CompiledSource::CompilePhase(const SpecSnapshot& spec,
                                                             Phase phase) {
  const auto& http = phase == Phase::kDetail ? spec.details->http : spec.http;
  const auto& hooks = phase == Phase::kDetail ? spec.details->hooks : spec.hooks;
  auto request = PATRA_TRY(RequestTemplates::Compile(http, hooks));
  OfPhase compiled{.request = std::move(request), .target = GateTargetOf(spec, phase)};
  for (const auto priority : kPriorities) {
    auto& rules = compiled.rules.at(std::to_underlying(priority));
    rules = GateRulesOf(spec, phase, {.priority = priority});
    PATRA_TRY(Validate(rules));
  }
  return compiled;
}

Result<CompiledSource> CompiledSource::Compile(SpecSnapshot spec) {
  auto reader = PATRA_TRY(PageReader::Compile(spec));
  auto search = PATRA_TRY(CompilePhase(spec, Phase::kSearch));
  std::optional<OfPhase> detail;
  if (spec.details) detail = PATRA_TRY(CompilePhase(spec, Phase::kDetail));
  auto parts = std::make_shared<const Parts>(Parts{.reader = std::move(reader),
                                                   .search = std::move(search),
                                                   .detail = std::move(detail),
                                                   .rules_depend_on_time = DependOnTime(spec)});
  return CompiledSource(std::move(spec), std::move(parts));
}

CompiledSource CompiledSource::InPagesOf(std::int64_t size) const {
  auto same = *this;
  same.spec_.paging.size = size;
  return same;
}

const PageReader& CompiledSource::reader() const { return parts_->reader; }

const CompiledSource::OfPhase& CompiledSource::Of(Phase phase) const {
  PATRA_ASSERT(phase == Phase::kSearch || parts_->detail);
  return phase == Phase::kDetail ? *parts_->detail : parts_->search;
}

const RequestTemplates& CompiledSource::request(Phase phase) const { return Of(phase).request; }

GateTarget CompiledSource::TargetOf(Phase phase, std::string credential) const {
  auto target = Of(phase).target;
  target.credential = std::move(credential);
  return target;
}

GateRules CompiledSource::RulesFor(Phase phase, const Asker& asker) const {
  if (parts_->rules_depend_on_time) return GateRulesOf(spec_, phase, asker);
  return Of(phase).rules.at(std::to_underlying(asker.priority));
}

}  // namespace patra::domain
