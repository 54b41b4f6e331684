#include "infra/reader/page_reader.h"

#include "infra/reader/page_mapping.h"

namespace patra::infra::reader {
namespace {

// A page that is being read takes up to ten times its size. Large ones are read one at a time in the whole process, so
// that many workers do not need that much each.
constexpr std::size_t kLargeBytes = std::size_t{8} << 20;

std::unique_lock<std::mutex> AloneIfLarge(const app::HttpResponse& response) {
  static std::mutex large;
  return response.body.size() > kLargeBytes ? std::unique_lock(large)
                                            : std::unique_lock<std::mutex>();
}

}  // namespace

struct PageReader::Compiled {
  domain::SpecSnapshot spec;
  PageMapping page;
  std::optional<PageMapping> details;
};

PageReader::PageReader() = default;
PageReader::~PageReader() = default;

Result<std::shared_ptr<const PageReader::Compiled>> PageReader::Compile(
    const domain::SpecSnapshot& spec) {
  const std::lock_guard lock(mutex_);
  if (compiled_ != nullptr && compiled_->spec == spec) return compiled_;
  auto page =
      PATRA_TRY(PageMapping::Compile({.response = spec.response,
                                      .fields = spec.fields,
                                      .errors = spec.errors,
                                      .next = spec.paging.next,
                                      .has_more = spec.paging.has_more,
                                      .next_in_link_header = spec.paging.next_in_link_header,
                                      .ids_only = spec.details.has_value()}));
  std::optional<PageMapping> details;
  if (spec.details) {
    // What is asked for by ids is counted by them.
    auto response = spec.details->response;
    response.total.reset();
    details = PATRA_TRY(PageMapping::Compile({.response = std::move(response),
                                              .fields = spec.details->fields,
                                              .errors = spec.details->errors}));
  }
  compiled_ = std::make_shared<const Compiled>(Compiled{spec, std::move(page), std::move(details)});
  return compiled_;
}

Result<app::PageContent> PageReader::Read(const domain::SpecSnapshot& spec,
                                          const app::HttpResponse& response) {
  const auto compiled = PATRA_TRY(Compile(spec));
  const auto alone = AloneIfLarge(response);
  return compiled->page.Read(response);
}

Result<app::PageContent> PageReader::ReadDetails(const domain::SpecSnapshot& spec,
                                                 const app::HttpResponse& response) {
  PATRA_ASSERT(spec.details);
  const auto compiled = PATRA_TRY(Compile(spec));
  const auto alone = AloneIfLarge(response);
  return compiled->details->Read(response);
}

Result<app::PageContent> PageReader::ReadWithBytes(const domain::SpecSnapshot& spec,
                                                   const app::HttpResponse& response,
                                                   bool is_detail) {
  PATRA_ASSERT(!is_detail || spec.details);
  const auto compiled = PATRA_TRY(Compile(spec));
  const auto alone = AloneIfLarge(response);
  return (is_detail ? *compiled->details : compiled->page).Read(response, Bytes::kKept);
}

Result<app::PageContent> PageReader::ReadRecord(const domain::SpecSnapshot& spec,
                                                const app::LoneRecord& record) {
  const auto compiled = PATRA_TRY(Compile(spec));
  return (compiled->details ? *compiled->details : compiled->page).ReadAlone(record);
}

}  // namespace patra::infra::reader
