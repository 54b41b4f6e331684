#pragma once

#include <memory>
#include <mutex>

#include "app/port/page_reader.h"

namespace patra::infra::reader {

// Reads JSON, XML and column-shaped pages. Compiles a snapshot's paths once. Thread-safe.
class PageReader final : public app::PageReader {
 public:
  PageReader();
  ~PageReader() override;

  Result<app::PageContent> Read(const domain::SpecSnapshot& spec,
                                const app::HttpResponse& response) override;
  Result<app::PageContent> ReadDetails(const domain::SpecSnapshot& spec,
                                       const app::HttpResponse& response) override;
  Result<app::PageContent> ReadWithBytes(const domain::SpecSnapshot& spec,
                                         const app::HttpResponse& response,
                                         bool is_detail) override;
  Result<app::PageContent> ReadRecord(const domain::SpecSnapshot& spec,
                                      const app::LoneRecord& record) override;

 private:
  struct Compiled;
  Result<std::shared_ptr<const Compiled>> Compile(const domain::SpecSnapshot& spec);

  std::mutex mutex_;                          // guards compiled_
  std::shared_ptr<const Compiled> compiled_;  // of the newest snapshot; shared with readers at work
};

}  // namespace patra::infra::reader
