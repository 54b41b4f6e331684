#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "app/quarantine/decide_quarantine.h"
#include "app/quarantine/surroundings.h"
#include "base/moment.h"

namespace patra::app {
namespace {

constexpr int kKindsMax = 1'000;
constexpr std::size_t kAroundBytes = 2'000;
constexpr std::string_view kWholePage = "BATCH";

// A decision about everything at once is nobody's wish.
Result<void> CheckMeant(const QuarantineRequest& request) {
  const auto& filter = request.filter;
  const bool is_narrow = !filter.provenance.empty() || !filter.rule.empty() || !filter.path.empty();
  if (request.all != request.ids.empty())
    return Fail(ErrorCode::kInvalidInput, "it is not said which records are meant", {},
                "name ids, or write ‹wish.all› with ‹wish.source›, ‹wish.rule› or ‹wish.path›");
  if (request.all && !is_narrow)
    return Fail(ErrorCode::kInvalidInput, "‹wish.all› alone would decide about everything", {},
                "narrow it with ‹wish.source›, ‹wish.rule› or ‹wish.path›");
  if ((request.item_id || request.fields) && request.ids.size() != 1)
    return Fail(ErrorCode::kInvalidInput, "‹wish.id› and ‹wish.fields› are for one record", {},
                "name exactly one id");
  return {};
}

Result<void> CheckMeant(const IdReleaseRequest& request) {
  if (request.all == !request.ids.empty())
    return Fail(ErrorCode::kInvalidInput, "it is not said which ids are meant", {},
                "name ids, or write ‹wish.all›");
  return {};
}

class StoreQuarantine final : public Quarantine {
 public:
  explicit StoreQuarantine(const DeskPorts& ports)
      : quarantine_(ports.store.quarantine()),
        definitions_(ports),
        clock_(ports.clock),
        mask_(ports.mask),
        decide_(quarantine_, sources_, [this](const domain::Lane& lane) { return SpecOf(lane); }) {}

  Result<std::vector<domain::QuarantineEntry>> List(const domain::QuarantineFilter& filter,
                                                    int entries_max) override {
    return quarantine_.List(filter, filter.below_id, entries_max);
  }

  Result<std::vector<domain::QuarantineKind>> Count(
      const domain::QuarantineFilter& filter) override {
    auto kinds = PATRA_TRY(quarantine_.CountKinds(filter.status, kKindsMax));
    std::erase_if(kinds, [&](const domain::QuarantineKind& kind) {
      return (!filter.provenance.empty() && kind.provenance != filter.provenance) ||
             (!filter.endpoint.empty() && kind.endpoint != filter.endpoint);
    });
    return kinds;
  }

  Result<domain::QuarantinedBytes> Show(Id id) override {
    auto found = PATRA_TRY(quarantine_.Find(id));
    if (!found)
      return Fail(ErrorCode::kNotFound, fmt::format("nothing is quarantined as {}", id), {},
                  "see `‹quarantine.list›`");
    if (found->entry.level != kWholePage) PATRA_TRY(Surround(*found));
    return *std::move(found);
  }

  Result<std::vector<QuarantineReport>> Decide(const QuarantineRequest& request,
                                               const domain::Actor& actor) override {
    PATRA_TRY(CheckMeant(request));
    std::vector<QuarantineReport> reports;
    const auto ids = request.all ? PATRA_TRY(Matching(request)) : request.ids;
    const auto decision = mask_.Decided(actor, request.reason);
    for (const auto id : ids) {
      auto decided = DecideOne(id, request, decision);
      QuarantineReport report{.id = id};
      if (decided) {
        report.decided = *decided;
      } else {
        report.problem = std::move(decided).error();
      }
      reports.push_back(std::move(report));
    }
    return reports;
  }

  Result<bool> ReleaseId(const std::string& target, const std::string& item_id,
                         const std::string& reason, const domain::Actor& actor) override {
    const auto [source, endpoint] = PATRA_TRY(EndpointOf(target));
    return quarantine_.ReleaseId(source, endpoint, item_id, mask_.Decided(actor, reason));
  }

  Result<std::vector<domain::BadIdEntry>> BadIds(const domain::BadIdFilter& filter,
                                                 int ids_max) override {
    return quarantine_.BadIds(filter, ids_max);
  }

  Result<IdReleaseReport> ReleaseIds(const IdReleaseRequest& request,
                                     const domain::Actor& actor) override {
    PATRA_TRY(CheckMeant(request));
    const Decision decision{.actor = actor, .reason = request.reason};
    IdReleaseReport report;
    if (request.all) {
      report.released = PATRA_TRY(
          quarantine_.ReleaseIds(PATRA_TRY(FilterOf(request)), request.ids_max, decision));
      return report;
    }
    const auto [source, endpoint] = PATRA_TRY(EndpointOf(request.target));
    for (const auto& id : request.ids) {
      if (PATRA_TRY(quarantine_.ReleaseId(source, endpoint, id, decision))) {
        report.released.push_back({.provenance = source, .endpoint = endpoint, .item_id = id});
      } else {
        report.not_listed.push_back(id);
      }
    }
    return report;
  }

 private:
  Result<domain::BadIdFilter> FilterOf(const IdReleaseRequest& request) const {
    const auto named = domain::TargetOf(request.target);
    domain::BadIdFilter filter{.provenance = named.source,
                               .endpoint = named.endpoint.value_or(""),
                               .reason = request.listed_for};
    if (request.listed_before)
      filter.listed_before = PATRA_TRY(ParseMoment(*request.listed_before, clock_.Now()));
    return filter;
  }

  Result<void> Surround(domain::QuarantinedBytes& record) {
    const auto page = PATRA_TRY(quarantine_.PageOf(record.entry.lineage.batch));
    if (page) record.around = SurroundingsOf(*page, record.bytes, kAroundBytes);
    if (!page) record.why_alone = "its page is not kept";
    if (page && !record.around) record.why_alone = "its page does not have these bytes as they are";
    return {};
  }

  Result<std::vector<Id>> Matching(const QuarantineRequest& request) {
    std::vector<Id> ids;
    for (const auto& entry : PATRA_TRY(quarantine_.List(request.filter, 0, request.records_max)))
      ids.push_back(entry.id);
    return ids;
  }

  Result<QuarantineDecided> DecideOne(Id id, const QuarantineRequest& request,
                                      const Decision& decision) {
    switch (request.kind) {
      case QuarantineRequest::Kind::kApprove:
        return decide_.Approve({.id = id, .item_id = request.item_id, .fields = request.fields},
                               decision);
      case QuarantineRequest::Kind::kReject:
        return decide_.Reject(id, decision);
      case QuarantineRequest::Kind::kRetry:
        break;
    }
    return decide_.Retry(id, decision);
  }

  Result<domain::SpecSnapshot> SpecOf(const domain::Lane& lane) {
    auto source = ResolveSource(
        PATRA_TRY(definitions_.All()),
        {.target = lane.provenance + "/" + lane.endpoint, .operation = lane.operation});
    if (!source) return std::unexpected(source.error().front());
    return std::move(source->spec);
  }

  QuarantineRepository& quarantine_;
  KnownDefinitions definitions_;
  Clock& clock_;
  SecretMask& mask_;
  CompiledSources sources_;
  DecideQuarantine decide_;
};

}  // namespace

std::unique_ptr<Quarantine> MakeQuarantine(const DeskPorts& ports) {
  return std::make_unique<StoreQuarantine>(ports);
}

}  // namespace patra::app
