#include "infra/reader/page_reader.h"

#include "domain/page/page_reader.h"

namespace patra::infra::reader {
namespace {

domain::PageAnswer AnswerOf(const app::HttpResponse& response) {
  return {.status = response.status,
          .headers = response.headers,
          .body = response.body,
          .received_at = response.received_at};
}

}  // namespace

struct PageReader::Compiled {
  domain::SpecSnapshot spec;
  domain::PageReader reader;
};

PageReader::PageReader() = default;
PageReader::~PageReader() = default;

Result<std::shared_ptr<const PageReader::Compiled>> PageReader::Compile(
    const domain::SpecSnapshot& spec) {
  const std::lock_guard lock(mutex_);
  if (compiled_ != nullptr && compiled_->spec == spec) return compiled_;
  auto reader = PATRA_TRY(domain::PageReader::Compile(spec));
  compiled_ = std::make_shared<const Compiled>(Compiled{spec, std::move(reader)});
  return compiled_;
}

Result<app::PageContent> PageReader::Read(const domain::SpecSnapshot& spec,
                                          const app::HttpResponse& response) {
  const auto compiled = PATRA_TRY(Compile(spec));
  return compiled->reader.Read(AnswerOf(response));
}

Result<app::PageContent> PageReader::ReadDetails(const domain::SpecSnapshot& spec,
                                                 const app::HttpResponse& response) {
  PATRA_ASSERT(spec.details);
  const auto compiled = PATRA_TRY(Compile(spec));
  return compiled->reader.Read(AnswerOf(response), domain::Phase::kDetail);
}

Result<app::PageContent> PageReader::ReadWithBytes(const domain::SpecSnapshot& spec,
                                                   const app::HttpResponse& response,
                                                   bool is_detail) {
  PATRA_ASSERT(!is_detail || spec.details);
  const auto compiled = PATRA_TRY(Compile(spec));
  return compiled->reader.Read(AnswerOf(response),
                               is_detail ? domain::Phase::kDetail : domain::Phase::kSearch,
                               domain::RecordBytes::kKept);
}

Result<app::PageContent> PageReader::ReadRecord(const domain::SpecSnapshot& spec,
                                                const app::LoneRecord& record) {
  const auto compiled = PATRA_TRY(Compile(spec));
  return compiled->reader.ReadRecord(record);
}

}  // namespace patra::infra::reader
