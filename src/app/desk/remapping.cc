#include "app/api/remapping.h"

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "app/remap/remap_records.h"
#include "base/moment.h"

namespace patra::app {
namespace {

class StoreRemapping final : public Remapping {
 public:
  explicit StoreRemapping(const DeskPorts& ports)
      : store_(ports.store), clock_(ports.clock), definitions_(ports) {}

  Result<RemapReport> Run(const RemapRequest& request, const domain::Actor& actor,
                          const OnLook& on_look, const OnProgress& on_progress) override {
    if (!request.dry_run && request.reason.empty())
      return Fail(ErrorCode::kInvalidInput, "nobody says why the records are mapped anew", {},
                  "‹wish.reason WHY›, for the audit; ‹wish.dry_run› writes nothing and needs none");
    const auto definitions = PATRA_TRY(definitions_.All());
    auto source = ResolveSource(definitions, {.target = request.target});
    if (!source) return std::unexpected(source.error().front());
    std::optional<Instant> since;
    if (request.since) {
      const auto zone = PATRA_TRY(TimeZone::Find(source->spec.window.timezone));
      since = PATRA_TRY(ParseMoment(*request.since, clock_.Now(), zone));
    }
    ReadVault vault(store_.replays(), sources_,
                    [&](const domain::Lane& lane) { return SpecOf(definitions, lane); });
    return RemapRecords(store_.remaps(), store_.replays(), store_.item_views(), vault)
        .Run({.spec = std::move(source->spec),
              .since = since,
              .dry_run = request.dry_run,
              .decision = {.actor = actor, .reason = request.reason}},
             on_look, on_progress);
  }

 private:
  static Result<domain::SpecSnapshot> SpecOf(const std::vector<domain::DefinitionNode>& definitions,
                                             const domain::Lane& lane) {
    auto source = ResolveSource(definitions, {.target = lane.provenance + "/" + lane.endpoint,
                                              .operation = lane.operation});
    if (!source) return std::unexpected(source.error().front());
    return std::move(source->spec);
  }

  Store& store_;
  Clock& clock_;
  KnownDefinitions definitions_;
  CompiledSources sources_;
};

}  // namespace

std::unique_ptr<Remapping> MakeRemapping(const DeskPorts& ports) {
  return std::make_unique<StoreRemapping>(ports);
}

}  // namespace patra::app
