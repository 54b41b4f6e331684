#include "app/remap/read_vault.h"

#include <iterator>

#include "app/execute/joined_answers.h"
#include "app/execute/outside_window.h"
#include "domain/page/page_reader.h"
#include "domain/spec/enumerator.h"

namespace patra::app {
namespace {

std::vector<HttpResponse> AnswersOf(const RecordedBatch& batch) {
  return SplitAnswers({.status = batch.http_status,
                       .content_type = batch.raw_page->content_type,
                       .body = batch.raw_page->body,
                       .received_at = batch.raw_page->fetched_at,
                       .has_headers = false});
}

Result<domain::PageContent> ReadAll(const domain::CompiledSource& source,
                                    const RecordedBatch& batch, domain::Phase phase) {
  domain::PageContent all;
  for (const auto& answer : AnswersOf(batch)) {
    auto part = PATRA_TRY(source.reader().Read(answer.answer(), phase));
    std::ranges::move(part.records, std::back_inserter(all.records));
    std::ranges::move(part.bad_records, std::back_inserter(all.bad_records));
  }
  return all;
}

}  // namespace

Result<SharedSource> ReadVault::SourceOf(const domain::Lane& lane) {
  const auto known = by_lane_.find(lane.Key());
  if (known != by_lane_.end()) return known->second;
  auto source = [&]() -> Result<SharedSource> {
    return sources_.Of(PATRA_TRY(current_spec_(lane)));
  }();
  return by_lane_.emplace(lane.Key(), std::move(source)).first->second;
}

Result<std::variant<MappedPage, LostPage>> ReadVault::Read(const VaultPage& page,
                                                           std::int64_t generation) {
  using Read = std::variant<MappedPage, LostPage>;
  if (!page.is_kept && !page.is_archived) return Read(LostPage{});
  auto batch = batches_.Read(page.run, page.batch);
  // A page that has gone bad, or whose file is not there, takes no other with it.
  const bool is_unreadable =
      !batch && (batch.error().code == ErrorCode::kCorruption ||
                 (page.is_archived && batch.error().code == ErrorCode::kNotFound));
  if (is_unreadable) return Read(LostPage{batch.error().Describe()});
  if (!batch) return std::unexpected(std::move(batch).error());
  if (!batch->raw_page) {
    if (batch->counts.received > 0) return Read(LostPage{});
    return Read(MappedPage{.batch = *std::move(batch), .content = {}});
  }
  const auto source = SourceOf(batch->task.lane);
  if (!source) return Read(LostPage{source.error().Describe()});
  const auto& spec = (*source)->spec();
  const bool is_detail = batch->before && batch->before->is_detail;
  if (is_detail && !spec.details)
    return Read(LostPage{"the definition fetches no details any more, and this page is one"});
  MappedPage mapped{.batch = *std::move(batch), .content = {}};
  if (domain::EnumerationOf(spec).gives_ids && !is_detail) return Read(std::move(mapped));
  auto content =
      ReadAll(**source, mapped.batch, is_detail ? domain::Phase::kDetail : domain::Phase::kSearch);
  if (!content) return Read(LostPage{content.error().Describe()});
  TakeOutOutside(spec, mapped.batch.task.window(), *content);
  for (auto& record : content->records) record.version.mapping_generation = generation;
  mapped.content = *std::move(content);
  return Read(std::move(mapped));
}

}  // namespace patra::app
