// A page reader whose records hold no secrets, however the page spelled them.
//
// Bodies are redacted as they come, but a parser may put together what no search of the bytes finds: text of several
// elements, sections of CDATA, an id of two parts. So what it makes of them is looked at once more (I11).
#pragma once

#include "app/port/page_reader.h"
#include "app/send/redaction.h"

namespace patra::app {

// As thread-safe as the reader that it asks.
class RedactingReader final : public PageReader {
 public:
  RedactingReader(PageReader& reader, const Redactor& redactor)
      : reader_(reader), redactor_(redactor) {}

  Result<PageContent> Read(const domain::SpecSnapshot& spec, const HttpResponse& response) override;
  Result<PageContent> ReadDetails(const domain::SpecSnapshot& spec,
                                  const HttpResponse& response) override;
  Result<PageContent> ReadWithBytes(const domain::SpecSnapshot& spec, const HttpResponse& response,
                                    bool is_detail) override;
  Result<PageContent> ReadRecord(const domain::SpecSnapshot& spec,
                                 const LoneRecord& record) override;

 private:
  Result<PageContent> Redacted(Result<PageContent> read) const;

  PageReader& reader_;
  const Redactor& redactor_;
};

}  // namespace patra::app
