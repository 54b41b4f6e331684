#include "adapter/rest/named_schemas.h"

namespace patra::adapter::rest {
namespace {

constexpr std::string_view kScope = "source:text endpoint:text operation:text ";
constexpr std::string_view kWindow = "windowFrom:time? windowTo:time? ";
constexpr std::string_view kSums =
    "announced:int? received:int inserted:int updated:int unchanged:int stale:int quarantined:int "
    "filtered:int "
    "repeated:int missing:int ";

std::string operator+(std::string left, std::string_view right) {
  left += right;
  return left;
}

std::string Scoped(std::string_view before, std::string_view after) {
  return std::string(before) + kScope + after;
}

NamedSchemas LedgerSchemas() {
  const auto windowed = [](std::string_view before, std::string_view after) {
    return std::string(before) + kScope + kWindow + after;
  };
  NamedSchemas named;
  named["Trigger"] =
      RowOf(Scoped("id:id ",
                   "type:text scheduler:text firedAt:time correlation:text params:any "
                   "remarks:any"));
  const std::string plan = windowed(
      "id:id status:text ",
      "slicedTo:time? strategy:text priority:int trigger:id? correlation:text queryHash:text "
      "fingerprint:text config:any configHash:text remarks:any createdAt:time updatedAt:time");
  named["Plan"] = RowOf(plan);
  named["PlanDetails"] = RowOf(plan + " slices:{int}");
  named["ValueOrigin"] = RowOf("path:text value:text level:text place:text");
  named["Slice"] = RowOf(windowed("id:id status:text ", "number:int ") + kSums +
                         "gap:text? remarks:any plan:id? parent:id? task:id? cutTotal:int? "
                         "partsTotal:int? wholeTotal:int? queryHash:text exprHash:text "
                         "expression:any createdAt:time updatedAt:time closedAt:time?");
  const std::string task =
      Scoped("id:id status:text ",
             "parked:flag waitReason:text? scheduledAt:time priority:int leaseOwner:text? "
             "leasedUntil:time? heartbeatAt:time? leaseCount:int fence:int retryCount:int "
             "lastErrorCode:text? lastError:text? credential:text? params:any remarks:any "
             "correlation:text trigger:id? plan:id? slice:id? createdAt:time startedAt:time? "
             "finishedAt:time?");
  named["Task"] = RowOf(task);
  named["TaskDetails"] = RowOf(task + " runs:[id]");
  named["Run"] = RowOf(windowed("id:id status:text ",
                                "attempt:int isReplay:flag stats:any error:text? correlation:text "
                                "plan:id? slice:id? task:id? startedAt:time? finishedAt:time? "
                                "createdAt:time"));
  named["Batch"] = RowOf(Scoped(
      "id:id status:text ",
      "number:int page:int? pageSize:int? timeFrom:time? timeTo:time? beforeToken:text? after:any "
      "records:int stats:any request:any response:any error:text? errorLevel:text? rawBytes:int? "
      "plan:id? slice:id? task:id? run:id? createdAt:time committedAt:time?"));
  const std::string cursor =
      Scoped("id:id ",
             "key:text type:text value:text observedMax:text? namespaceScope:text "
             "namespaceKey:text plan:id? slice:id? task:id? run:id? batch:id? version:int "
             "createdAt:time updatedAt:time");
  named["Cursor"] = RowOf(cursor);
  named["CursorDetails"] = RowOf(cursor + " decisions:[Decision] steps:[CursorStep]");
  named["CursorStep"] = RowOf(Scoped("id:id ",
                                     "key:text namespaceKey:text direction:text before:text? "
                                     "after:text refused:text? remarks:any windowFrom:time? "
                                     "windowTo:time? plan:id? slice:id? task:id? run:id? at:time"));
  named["Decision"] =
      RowOf("id:id actor:text way:text action:text reason:text details:any at:time");
  named["AuditEntry"] = RowOf(
      "id:id actor:text way:text action:text reason:text details:any at:time objectType:text "
      "object:text");
  named["AnswerCount"] = RowOf("status:text httpStatus:int? batches:int");
  named["TimelineEvent"] = RowOf("at:time what:text id:id? detail:text");
  named["Sums"] = RowOf(kSums);
  return named;
}

void AddStatusSchemas(NamedSchemas& named) {
  named["Waiting"] = RowOf("reason:text until:time tasks:int");
  named["Freshness"] = RowOf("withinSeconds:int oldestLook:time? overdue:int");
  named["DayTotals"] = RowOf(
      "requests:int received:int inserted:int updated:int quarantined:int filtered:int bytes:int");
  named["EndpointStatus"] = RowOf(
      "source:text endpoint:text watermark:time? skippedFrom:time? skippedTo:time? lagSeconds:int? "
      "observedMax:time? observedLagSeconds:int? running:int queued:int parked:[Waiting] "
      "slicesFailed:int slicesPartial:int quarantineOpen:int freshness:Freshness? "
      "lastDay:DayTotals rate:RateInUse? "
      "lastRun:Run?");
  named["RateInUse"] = RowOf("key:text requestsPerSecond:num allowedPerSecond:num share:num");
  named["Hold"] = RowOf(
      "kind:text source:text endpoint:text role:text reason:text by:text since:time until:time?");
  named["AlertGlance"] = RowOf("key:text message:text");
  named["SharedCredential"] = RowOf("credential:text store:text otherName:text usedAt:time");
  named["Status"] = RowOf(
      "now:time endpoints:[EndpointStatus] holds:[Hold] parkedIsCut:flag executors:int alerts:int "
      "newestAlerts:[AlertGlance] sharedCredentials:[SharedCredential] sharingUnknown:text "
      "gateCounts:text");
}

void AddDashboardSchemas(NamedSchemas& named) {
  named["QueueRow"] = RowOf(Scoped(
      "",
      "ready:int parked:int dispatched:int executing:int claims:int claimsPerSecond:num "
      "runsSucceeded:int runsFailed:int runsPartial:int batchesSucceeded:int batchesFailed:int "
      "batchesSkipped:int failureShare:num? records:int requests:int requestsPerSecond:num "
      "retries:int throttled:int throttledShare:num? meanLatencyMs:num?"));
  const std::string work =
      "claimsPerSecond:[num] batchesSucceeded:[int] batchesFailed:[int] failureShare:[num?] "
      "records:[int] requestsPerSecond:[num] retries:[int] throttledShare:[num?] "
      "meanLatencyMs:[num?]";
  named["WorkSeries"] = RowOf(work);
  named["EndpointSeries"] = RowOf("source:text endpoint:text " + work);
  named["GateSeries"] = RowOf(
      "key:text requests:[int] requestsPerSecond:[num] limitPerSecond:[num?] "
      "allowedPerSecond:[num?] throttled:[int] failures:[int] cuts:[int] coolDowns:[int] "
      "openings:[int] stoppedUntil:[time?]");
  const std::string steps = "from:time to:time stepSeconds:int at:[time] ";
  named["QueueHistory"] = RowOf(steps + "all:WorkSeries items:[EndpointSeries] claimsFrom:time?");
  named["GateHistory"] = RowOf(steps + "isCut:flag items:[GateSeries]");
  named["RunLineage"] = RowOf("run:Run batches:[Batch] moreBatches:flag");
  named["SliceLineage"] = RowOf("slice:Slice task:Task? runs:[RunLineage] moreRuns:flag");
  named["ErrorKind"] = RowOf(
      Scoped("", "level:text error:text batches:int newestBatch:id firstAt:time lastAt:time"));
}

void AddItemSchemas(NamedSchemas& named) {
  named["Item"] = RowOf(
      "id:text source:text endpoint:text updatedAt:time deletedAt:time? mergedInto:text? "
      "providerVersion:int mappingGeneration:int fetchedAt:time firstSeenAt:time refreshedAt:time "
      "contentHash:text exprHash:text batch:id? fields:any");
  named["Change"] = RowOf(
      "place:text change:text source:text endpoint:text id:text mergedInto:text? batch:id? "
      "committedAt:time");
  named["ChangePage"] = RowOf("items:[Change] next:text? place:text");
  named["ItemTrouble"] =
      RowOf("id:id status:text path:text rule:text reason:text batch:id? createdAt:time");
  named["ItemWhy"] = RowOf(
      "item:Item batch:Batch? run:Run? task:Task? slice:Slice? plan:Plan? trigger:Trigger? "
      "firstBatch:id? pages:[id] quarantined:[ItemTrouble]");
}

void AddCertificateSchemas(NamedSchemas& named) {
  named["Stretch"] = RowOf("from:time to:time");
  named["ProvenBy"] = RowOf(
      "plan:id? operation:text slices:int firstSlice:id? lastSlice:id? closedFirst:time "
      "closedLast:time sums:Sums byExactTotal:int byEstimate:int byEndRule:int");
  named["Proven"] = RowOf("stretch:Stretch by:[ProvenBy]");
  named["Gap"] =
      RowOf("stretch:Stretch kind:text reason:text plan:id? slice:id? task:id? repair:text");
  named["Imbalance"] = RowOf("plan:id? slice:id? stretch:Stretch reason:text");
  named["Certificate"] = RowOf(
      "source:text endpoint:text queryHash:text range:Stretch issuedAt:time complete:flag "
      "quarantineOpen:int sums:Sums proven:[Proven] proofsInAll:int gaps:[Gap] gapsInAll:int "
      "imbalances:[Imbalance] "
      "askedOtherwise:[Stretch] askedOtherwiseBy:[text] days:DayColumns?");
  const std::string columns = "states:[text] proven:[num] slices:[int] records:[int]";
  named["DayColumns"] = RowOf(columns);
  named["ProofDays"] =
      RowOf("source:text endpoint:text queryHash:text range:Stretch from:time " + columns);
}

void AddSourceSchemas(NamedSchemas& named) {
  named["Source"] =
      RowOf("source:text name:text endpoints:[text] abstract:flag problems:int file:text");
  named["Finding"] =
      RowOf("file:text line:int column:int path:text severity:text message:text fix:text");
  named["SourceCheck"] = RowOf("definitions:int endpoints:int findings:[Finding]");
  named["CompiledOrigin"] = RowOf("path:text is:text from:text where:text");
  named["CompiledSource"] = RowOf(
      "source:text endpoint:text specFingerprint:text exprProtoHash:text snapshot:any "
      "origins:[CompiledOrigin] findings:[Finding]");
}

void AddTroubleSchemas(NamedSchemas& named) {
  const std::string quarantined =
      Scoped("id:id ",
             "itemId:text? level:text path:text rule:text reason:text bytes:int exprHash:text "
             "plan:id slice:id task:id run:id batch:id batchNo:int recordNo:int status:text "
             "decidedBy:text? decidedReason:text? decidedAt:time? createdAt:time");
  named["Quarantined"] = RowOf(quarantined);
  named["Surroundings"] = RowOf("before:text behind:text offset:int pageBytes:int");
  named["QuarantinedRecord"] =
      RowOf(quarantined +
            " fetchedAt:time body:text isBase64:flag bodyIsCut:flag around:Surroundings? "
            "whyAlone:text");
  named["QuarantineCount"] = RowOf("source:text endpoint:text rule:text path:text records:int");
  named["Fuse"] = RowOf("source:text endpoint:text reason:text");
  named["Signal"] =
      RowOf("id:id source:text endpoint:text itemId:text type:text origin:text note:text");
  named["HealEntry"] = RowOf(Scoped("at:time ", "saw:any did:any result:text"));
  named["Adjustment"] =
      RowOf("source:text endpoint:text kind:text value:text until:text reason:text");
  named["Alert"] = RowOf(
      "key:text severity:text state:text source:text endpoint:text message:text details:any "
      "firstSeenAt:time lastSeenAt:time resolvedAt:time? timesSeen:int");
  const std::string_view execution =
      "execution:id job:text type:text status:text reason:text? firedAt:time startAt:time "
      "claimedAt:time claimedBy:text plannedAt:time? finishedAt:time? trigger:id? plan:id? "
      "retriedPlans:any received:int inserted:int updated:int unchanged:int quarantined:int "
      "requests:int";
  named["Execution"] = RowOf(execution);
  named["Job"] = RowOf(
      "job:text source:text endpoint:text? operation:text cron:text timezone:text arguments:any "
      "query:text? misfire:text jitter:text? enabled:flag disabledReason:text? origin:text "
      "nextFiringAt:time? lastFiringAt:time? last:any");
  named["Occurrence"] = RowOf("at:time local:text");
  named["Quota"] = RowOf("from:time to:time allowed:int reserved:int left:int");
  named["GateKey"] = RowOf(
      "key:text reason:text blockedUntil:time? lastUsedAt:time? sharePpm:int jitterUs:int? "
      "inFlight:int permits:int waits:int rejects:int lostSlots:int throttled:int failures:int "
      "coolDowns:int cuts:int openings:int quotas:[Quota]");
}

void AddWorkSchemas(NamedSchemas& named) {
  named["DictionaryCode"] = RowOf("type:text code:text enabled:flag aliases:[text]");
  named["GivenUpSlice"] = RowOf("window:text slice:id task:id tries:int reason:text");
  named["Price"] = RowOf(
      "slices:int expectedRequests:int requestsAreLeast:flag records:int? bytes:int? "
      "quotaPart:num? takes:text? ratePerSecond:num? basis:text");
  auto plan = RowOf(
      "kind:text source:text endpoint:text endpointBy:text operation:text plan:id? slices:int "
      "triedAgain:int givenUp:int partial:flag continued:flag reason:text notes:[text] "
      "warnings:[text] appliedFields:int givenUpSlices:[GivenUpSlice] hint:text");
  for (auto& member : RowOf("window:Stretch watermark:time price:Price firstSlices:[Stretch] "
                            "stopsAfter:int")
                          .members) {
    member.is_required = false;
    plan.members.push_back(std::move(member));
  }
  named["PlanReport"] = std::move(plan);
  named["Repair"] = RowOf(
      "source:text endpoint:text queryHash:text needed:flag slices:int triedAgain:int givenUp:int "
      "held:text? hint:text?");
  named["Replay"] = RowOf(
      "run:id batch:id batchNo:int source:text endpoint:text operation:text window:text "
      "position:text mode:text fromRaw:flag recorded:any got:any counts:{int} differences:[any] "
      "verdict:text reason:text tryAt:time? refused:text? isolated:int committed:any");
  named["PreviewHeader"] = RowOf("name:text value:text");
  named["PreviewRecord"] =
      RowOf("id:text updatedAt:text deleted:flag raw:text rawBytes:int fields:any");
  named["PreviewPage"] = RowOf(
      "what:text method:text url:text headers:[PreviewHeader] body:text answer:text outline:[text] "
      "verdict:text later:flag records:int badRecords:int announced:int? next:text "
      "firstRecords:[PreviewRecord] firstBad:[text] ids:int firstIds:[text]");
  named["Preview"] =
      RowOf("source:text endpoint:text window:text warnings:[text] pages:[PreviewPage]");
  named["ExportedDefinition"] = RowOf("name:text text:text");
}

void AddProblemSchemas(NamedSchemas& named) {
  named["NextStep"] = RowOf("step:text arguments:[text]");
  named["Place"] = RowOf("file:text line:int column:int pointer:text");
  named["Problem"] = RowOf(
      "type:text title:text status:int code:text detail:text hint:text place:Place? "
      "next:[NextStep]");
}

}  // namespace

const NamedSchemas& AllNamedSchemas() {
  static const NamedSchemas all = [] {
    auto named = LedgerSchemas();
    AddStatusSchemas(named);
    AddDashboardSchemas(named);
    AddItemSchemas(named);
    AddCertificateSchemas(named);
    AddSourceSchemas(named);
    AddTroubleSchemas(named);
    AddWorkSchemas(named);
    AddProblemSchemas(named);
    return named;
  }();
  return all;
}

}  // namespace patra::adapter::rest
