#include "domain/page/page_reader.h"
#include "domain/spec/enumerator.h"

#include <mutex>
#include <utility>

namespace patra::domain {
namespace {

// A page that is being read takes up to ten times its size. Large ones are read one at a time in the whole process, so
// that many workers do not need that much each.
constexpr std::size_t kLargeBytes = std::size_t{8} << 20;

std::unique_lock<std::mutex> AloneIfLarge(const PageAnswer& answer) {
  static std::mutex large;
  return answer.body.size() > kLargeBytes ? std::unique_lock(large)
                                          : std::unique_lock<std::mutex>();
}

Result<std::optional<PageMapping>> CompileDetails(const std::optional<DetailSpec>& details) {
  if (!details) return std::nullopt;
  // What is asked for by ids is counted by them.
  auto response = details->response;
  response.total.reset();
  return PATRA_TRY(PageMapping::Compile({.response = std::move(response),
                                         .fields = details->fields,
                                         .errors = details->errors,
                                         .hooks = details->hooks}));
}

}  // namespace

Result<PageReader> PageReader::Compile(const SpecSnapshot& spec) {
  auto page =
      PATRA_TRY(PageMapping::Compile({.response = spec.response,
                                      .fields = spec.fields,
                                      .errors = spec.errors,
                                      .hooks = spec.hooks,
                                      .next = spec.paging.next,
                                      .has_more = spec.paging.has_more,
                                      .next_header = spec.paging.next_header,
                                      .token_kind = spec.paging.token_kind,
                                      .next_in_link_header = spec.paging.next_in_link_header,
                                      .reach = spec.paging.reach,
                                      .ids_only = EnumerationOf(spec).gives_ids}));
  auto details = PATRA_TRY(CompileDetails(spec.details));
  return PageReader(std::move(page), std::move(details));
}

Result<PageContent> PageReader::Read(const PageAnswer& answer, Phase phase,
                                     RecordBytes bytes) const {
  PATRA_ASSERT(phase == Phase::kSearch || details_);
  const auto alone = AloneIfLarge(answer);
  return (phase == Phase::kDetail ? *details_ : page_).Read(answer, bytes);
}

Result<PageContent> PageReader::ReadRecord(const LoneRecord& record) const {
  return (details_ ? *details_ : page_).ReadAlone(record);
}

}  // namespace patra::domain
