#include "app/replay/replay_batch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/execute/joined_answers.h"
#include "app/execute/next_step.h"
#include "app/execute/outside_window.h"
#include "app/execute/render_request.h"
#include "app/replay/judge_replay.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/hook/provider_hooks.h"
#include "domain/page/page_reader.h"
#include "domain/plan/id_batches.h"
#include "domain/plan/plan.h"
#include "domain/walk/walk.h"

namespace patra::app {
namespace {

using Kind = RecordDifference::Kind;

// A bad moment of the provider is no finding; more than a second try is the harvest's business.
constexpr std::int64_t kAttemptsMax = 2;
constexpr const char* kReadVault = "‹wish.from_raw› reads the page that was kept, where one was";

// Self-healing may have made the pages of that walk smaller.
domain::CompiledSource InPagesOf(const RecordedBatch& batch, const domain::CompiledSource& source) {
  const bool has_own = batch.before && batch.before->size;
  return source.InPagesOf(has_own ? *batch.before->size : source.spec().paging.size);
}

std::string DescribePosition(const std::optional<Position>& position) {
  if (!position) return "unknown";
  if (position->token && !position->is_detail) return fmt::format("token {}", *position->token);
  return Describe(*position);
}

std::string RecordedNext(const RecordedBatch& batch) {
  if (!domain::IsCommitted(batch.status)) return "unknown";
  return batch.after ? DescribePosition(batch.after) : "none: this is the end";
}

// Of a page that was taken apart, the digest has only the last part.
std::string RecordedBodyHash(const RecordedBatch& batch) {
  if (batch.raw_page) return Sha256Hex(batch.raw_page->body);
  constexpr std::string_view kAlgorithm = "sha256:";
  const auto digest = ParseJson(batch.response_digest);
  const auto* sample = digest ? digest->Find("sample") : nullptr;
  const auto* text = sample == nullptr ? nullptr : sample->AsString();
  if (text == nullptr || !text->starts_with(kAlgorithm)) return {};
  return text->substr(kAlgorithm.size());
}

ReplayReport Begin(const ReplayCommand& command, const RecordedBatch& batch) {
  return {.run = command.run,
          .batch = command.batch,
          .batch_no = batch.batch_no,
          .lane = batch.task.lane,
          .window = batch.task.window().Describe(),
          .position = DescribePosition(batch.before),
          .mode = command.mode,
          .from_raw = command.from_raw,
          .recorded = {.status = std::string(Code(batch.status)),
                       .error = batch.error,
                       .records = batch.counts.received,
                       .bad = batch.counts.quarantined,
                       .next = RecordedNext(batch),
                       .request = batch.request_digest,
                       .body_hash = RecordedBodyHash(batch),
                       .committed_at = batch.committed_at},
          .got = {}};
}

// What it takes to ask for it again is what it was asked for with: by what stands there, and by the hashes of that time. An
// account that was tampered with, or damaged, would be compared with something else.
std::vector<ComparedHash> HashesOf(const RecordedBatch& batch) {
  const auto expression = Sha256Hex(batch.expression);
  return {{"fingerprint", batch.fingerprint, Sha256Hex(batch.task.plan_snapshot)},
          {"exprHash", batch.expr_hash, expression},
          {"signature", batch.signature,
           domain::SliceSignature(batch.task.lane, expression, batch.task.slice)}};
}

Result<void> CheckHashes(const ReplayReport& report) {
  for (const auto& hash : report.hashes) {
    if (hash.is_same()) continue;
    return Fail(
        ErrorCode::kCorruption,
        fmt::format("the {} of batch {} was {} and is {} now: nothing is asked for, because "
                    "it would not be what was asked for then",
                    hash.of, report.batch, hash.recorded, hash.now),
        {}, "the account is damaged: see `‹db.check›`, and how the store was changed");
  }
  return {};
}

// Of a batch that came to nothing, the account knows what was open: it asked for as many as go into one request.
void KeepAskedIds(RecordedBatch& batch, const domain::SpecSnapshot& spec) {
  if (domain::IsCommitted(batch.status) || !spec.details) return;
  const auto open = static_cast<std::int64_t>(batch.ids.size());
  batch.ids.resize(static_cast<std::size_t>(domain::IdsOfNextRequest(*spec.details, open)));
}

Result<void> CheckCanAsk(const RecordedBatch& batch, const domain::SpecSnapshot& spec) {
  const auto cannot = [](std::string why) {
    return Fail(ErrorCode::kConflict, std::move(why), {}, kReadVault);
  };
  if (!batch.before) return cannot("the account does not say any more where this batch began");
  const auto& before = *batch.before;
  if (before.is_detail && batch.ids.empty())
    return cannot("the account does not say any more which ids this batch asked for");
  const bool can_repeat = spec.paging.replayable && before.token_is_position;
  if (before.token && !before.is_detail && !can_repeat)
    return cannot("the token of this batch cannot be sent twice");
  return {};
}

void NoteNoPage(const NoPage& none, ReplayReport& report) {
  report.verdict = ReplayVerdict::kNoPage;
  report.reason = none.reason;
  report.got.request = none.evidence.request;
  if (none.kind == NoPage::Kind::kParked) report.try_at = none.until;
  if (none.kind == NoPage::Kind::kStartOver) report.hint = kReadVault;
}

std::int64_t SeenBefore(const RecordedBatch& batch, const domain::SpecSnapshot& spec) {
  const auto start = domain::Walk(spec, batch.task.slice).Start();
  if (!batch.before || !batch.before->page || !start.page) return batch.records_before;
  const auto places = *batch.before->page - *start.page;
  return spec.paging.style == domain::PagingStyle::kOffset ? places : places * spec.paging.size;
}

std::set<std::string> IdsOn(const domain::PageContent& content) {
  std::set<std::string> ids(content.ids.begin(), content.ids.end());
  for (const auto& record : content.records) ids.insert(record.id);
  for (const auto& bad : content.bad_records) {
    if (bad.id) ids.insert(*bad.id);
  }
  return ids;
}

std::string AuditDetails(const ReplayReport& report) {
  constexpr std::size_t kNone = 0;
  const auto value = ToValue(report, kNone);
  return CanonicalJson(Value::Object{{"replay", fmt::format("{}/{}", report.run, report.batch)},
                                     {"fromRaw", report.from_raw},
                                     {"counts", *value.Find("counts")},
                                     {"bodySha256", report.got.body_hash},
                                     {"verdict", Name(report.verdict)}});
}

std::string WhyIsolated(const ReplayReport& report, const RecordDifference& difference) {
  auto why = fmt::format("replay of {}/{}: {}", report.run, report.batch, Name(difference.kind));
  if (!difference.fields.empty()) why += fmt::format(" ({})", fmt::join(difference.fields, ", "));
  return why;
}

}  // namespace

// What came, whichever way.
struct ReplayBatch::Page {
  domain::PageContent content;
  std::vector<HttpResponse> answers;  // more than one where the page was taken apart
  std::string request_digest;
  std::string body_hash;

  Instant fetched_at() const { return answers.front().received_at; }
};

Result<ReplayReport> ReplayBatch::Run(const ReplayCommand& command) {
  auto batch = PATRA_TRY(store_.Read(command.run, command.batch));
  auto report = Begin(command, batch);
  report.hashes = HashesOf(batch);
  PATRA_TRY(CheckHashes(report));
  const auto source = InPagesOf(batch, *PATRA_TRY(sources_.Of(batch.task.plan_snapshot)));
  const auto& spec = source.spec();
  KeepAskedIds(batch, spec);
  const Scene scene{
      .batch = batch, .source = source, .is_detail = batch.before && batch.before->is_detail};
  auto page = command.from_raw ? std::optional(PATRA_TRY(ReadVault(scene)))
                               : PATRA_TRY(AskAgain(scene, report));
  if (!page) return report;

  auto& content = page->content;
  report.got = {.request = page->request_digest,
                .status = page->answers.front().status,
                .fetched_at = page->fetched_at(),
                .announced = content.announced,
                .records = static_cast<std::int64_t>(content.size()),
                .bad = static_cast<std::int64_t>(content.bad_records.size()),
                .next = "none",
                .body_hash = page->body_hash};
  const bool is_header_lost =
      command.from_raw &&
      (spec.paging.next_in_link_header || spec.paging.next_header || HookGivesTotal(spec.hooks));
  if (is_header_lost) report.got.next = "unknown: a header told it, and headers are not kept";
  if (!scene.is_detail && batch.before && !is_header_lost) {
    const bool is_link = spec.paging.style == domain::PagingStyle::kUrl && content.next;
    if (is_link && command.from_raw) {
      const auto request =
          PATRA_TRY(RenderRequest(source, batch.task.slice, *batch.before, batch.task.values));
      content.next = PATRA_TRY(LinkFrom(request.url, *content.next));
    }
    const auto seen = SeenBefore(batch, spec);
    domain::Walk walk(spec, batch.task.slice, {.account = {.rows = seen, .records = seen}});
    report.got.next = NextAfter(walk, *batch.before, content);
  }
  for (auto& record : content.records)
    record.version.mapping_generation = batch.task.mapping_generation;
  PATRA_TRY(FindGone(scene, content, report));
  report.got.filtered = TakeOutOutside(spec, batch.task.window(), content).records;
  PATRA_TRY(CompareRecords(scene, content, report));
  Judge(report, batch, scene.has_ids_only());

  if (command.mode == ReplayMode::kIsolate)
    PATRA_TRY(Isolate(scene, *page, command.decision, report));
  if (command.mode == ReplayMode::kCommit)
    PATRA_TRY(Commit(scene, *page, command.decision, report));
  return report;
}

Result<std::optional<ReplayBatch::Page>> ReplayBatch::AskAgain(const Scene& scene,
                                                               ReplayReport& report) {
  const auto& batch = scene.batch;
  PATRA_TRY(CheckCanAsk(batch, scene.source.spec()));
  RunTally tally;
  const OnGateWait on_wait = [](const domain::GateWait&) {};
  FetchScope scope{.task = batch.task,
                   .source = scene.source,
                   .lineage = batch.lineage,
                   .random = SeededRandom(static_cast<std::uint64_t>(batch.lineage.batch)),
                   .tally = tally,
                   .on_wait = on_wait,
                   .attempts_max = kAttemptsMax};
  auto fetched = PATRA_TRY(scene.is_detail ? fetch_.Details(scope, batch.ids, batch.batch_no)
                                           : fetch_.At(scope, *batch.before, batch.batch_no));
  if (const auto* none = std::get_if<NoPage>(&fetched)) {
    NoteNoPage(*none, report);
    return std::nullopt;
  }
  auto& got = std::get<FetchedPage>(fetched);
  Page page{.content = std::move(got.content),
            .answers = {},
            .request_digest = std::move(got.evidence.request),
            .body_hash = std::move(got.body_hash)};
  page.answers.push_back(std::move(got.response));
  return page;
}

Result<ReplayBatch::Page> ReplayBatch::ReadVault(const Scene& scene) {
  const auto& kept = scene.batch.raw_page;
  if (!kept) {
    return Fail(ErrorCode::kNotFound, "the raw vault has no page of this batch", {},
                "without ‹wish.from_raw› the provider is asked");
  }
  HttpResponse whole{.status = scene.batch.http_status,
                     .content_type = kept->content_type,
                     .body = kept->body,
                     .received_at = kept->fetched_at,
                     .has_headers = false};
  Page page{.content = {},
            .answers = SplitAnswers(whole),
            .request_digest = scene.batch.request_digest,
            .body_hash = Sha256Hex(kept->body)};
  if (page.answers.empty())
    return Fail(ErrorCode::kCorruption, "the page of the raw vault is not as pages are joined");
  page.content = PATRA_TRY(ReadAll(scene, page.answers));
  return page;
}

Result<domain::PageContent> ReplayBatch::ReadAll(const Scene& scene,
                                                 const std::vector<HttpResponse>& answers) {
  domain::PageContent all;
  const auto append = [](auto& from, auto& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  const auto phase = scene.is_detail ? domain::Phase::kDetail : domain::Phase::kSearch;
  for (const auto& answer : answers) {
    auto part = PATRA_TRY(sender_.Redacted(
        scene.source.reader().Read(answer.answer(), phase, domain::RecordBytes::kKept)));
    append(part.records, all.records);
    append(part.bytes, all.bytes);
    append(part.bad_records, all.bad_records);
    append(part.ids, all.ids);
    if (part.announced) all.announced = part.announced;
    all.next = std::move(part.next);
    all.has_more = part.has_more;
    all.rule = std::move(part.rule);
  }
  return all;
}

// What the batch brought is known from its own page, else from the ids that the account has of it.
Result<void> ReplayBatch::FindGone(const Scene& scene, const domain::PageContent& content,
                                   ReplayReport& report) {
  const auto& batch = scene.batch;
  const auto here = IdsOn(content);
  if (scene.is_detail) {
    report.got.unanswered =
        std::ranges::count_if(batch.ids, [&](const std::string& id) { return !here.contains(id); });
  }
  std::set<std::string> before(batch.ids.begin(), batch.ids.end());
  std::map<std::string, Instant> updated;
  if (batch.raw_page) {
    const auto page = PATRA_TRY(ReadVault(scene));
    before = IdsOn(page.content);
    for (const auto& record : page.content.records)
      updated.emplace(record.id, record.version.updated_at);
  }
  std::vector<std::string> gone;
  std::ranges::set_difference(before, here, std::back_inserter(gone));
  const auto stored = PATRA_TRY(store_.Stored(batch.task.lane, gone));
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const auto then = updated.find(gone[i]);
    const bool has_moved_on =
        stored[i] && then != updated.end() && stored[i]->version.updated_at > then->second;
    report.differences.push_back({.kind = Kind::kGone, .id = gone[i], .is_since = has_moved_on});
  }
  if (!scene.has_ids_only()) return {};
  for (const auto& id : content.ids) {
    if (before.contains(id)) {
      ++report.same;
    } else {
      report.differences.push_back({.kind = Kind::kNew, .id = id});
    }
  }
  return {};
}

Result<void> ReplayBatch::CompareRecords(const Scene& scene, const domain::PageContent& content,
                                         ReplayReport& report) {
  using Diff = domain::RecordDiff::Kind;
  const auto& batch = scene.batch;
  std::vector<std::string> ids;
  for (const auto& record : content.records) ids.push_back(record.id);
  const auto stored = PATRA_TRY(store_.Stored(batch.task.lane, ids));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto& record = content.records[i];
    auto diff = PATRA_TRY(domain::Compare(stored[i] ? &*stored[i] : nullptr, record));
    const bool is_after_batch =
        batch.committed_at && record.version.updated_at > *batch.committed_at;
    switch (diff.kind) {
      case Diff::kSame:
        ++report.same;
        break;
      case Diff::kOlder:
        if (report.from_raw) {
          ++report.superseded;
        } else {
          report.differences.push_back(
              {.kind = Kind::kOlder, .id = ids[i], .fields = std::move(diff.fields)});
        }
        break;
      case Diff::kNew:
        report.differences.push_back(
            {.kind = Kind::kNew, .id = ids[i], .is_since = is_after_batch});
        break;
      case Diff::kChanged:
        report.differences.push_back({.kind = Kind::kChanged,
                                      .id = ids[i],
                                      .fields = std::move(diff.fields),
                                      .is_since = diff.is_newer});
        break;
    }
  }
  for (const auto& bad : content.bad_records) {
    report.differences.push_back(
        {.kind = Kind::kBad, .id = bad.id.value_or(""), .fields = {bad.path}});
  }
  return {};
}

// Those records that are not stored like this already: about the others there is nothing to decide.
Result<void> ReplayBatch::Isolate(const Scene& scene, const Page& page, const Decision& decision,
                                  ReplayReport& report) {
  auto whole = PATRA_TRY(ReadAll(scene, page.answers));
  std::map<std::string, std::string> bytes;
  for (std::size_t i = 0; i < whole.records.size(); ++i)
    bytes.insert_or_assign(whole.records[i].id, std::move(whole.bytes[i]));
  Isolation isolation{.batch = scene.batch,
                      .records = {},
                      .fetched_at = page.fetched_at(),
                      .decision = decision,
                      .details = AuditDetails(report)};
  for (const auto& difference : report.differences) {
    const auto found = bytes.find(difference.id);
    if (difference.kind == Kind::kBad || found == bytes.end()) continue;
    isolation.records.push_back({.id = difference.id,
                                 .path = "",
                                 .rule = "replay",
                                 .reason = WhyIsolated(report, difference),
                                 .bytes = found->second});
  }
  for (auto& bad : whole.bad_records) {
    isolation.records.push_back(
        {.id = bad.id,
         .path = bad.path,
         .rule = "replay",
         .reason = fmt::format("replay of {}/{}: {}", report.run, report.batch, bad.reason),
         .bytes = std::move(bad.bytes)});
  }
  report.isolated = PATRA_TRY(store_.Isolate(isolation));
  return {};
}

Result<void> ReplayBatch::Commit(const Scene& scene, Page& page, const Decision& decision,
                                 ReplayReport& report) {
  if (const auto why = WhyNotCommit(report, scene.batch, scene.has_ids_only())) {
    report.refusal = Error{ErrorCode::kConflict,
                           "nothing is committed: " + *why,
                           {},
                           "‹wish.mode isolate› puts what came into quarantine instead"};
    return {};
  }
  const auto committed = PATRA_TRY(store_.Commit({.batch = scene.batch,
                                                  .records = std::move(page.content.records),
                                                  .decision = decision,
                                                  .details = AuditDetails(report)}));
  report.replay_run = committed.run;
  report.committed = committed.counts;
  return {};
}

}  // namespace patra::app
