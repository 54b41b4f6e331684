// Turns a provider's page into records, by the paths of the snapshot.
//
// The source's error rules come first: an answer that matches one is no page, whatever its status,
// and yields no records.
#pragma once

#include "app/port/transport.h"
#include "base/result.h"
#include "domain/page/page_content.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

using domain::LoneRecord;
using domain::PageContent;

// An error is a document that cannot be read, or is not the page that the snapshot describes; kExhausted, one that holds
// more than is taken of a page (domain/item/record.h).
class PageReader {
 public:
  virtual ~PageReader() = default;

  virtual Result<PageContent> Read(const domain::SpecSnapshot& spec,
                                   const HttpResponse& response) = 0;

  // The answer of the second phase. REQUIRES: spec.details
  virtual Result<PageContent> ReadDetails(const domain::SpecSnapshot& spec,
                                          const HttpResponse& response) = 0;

  // As Read or, with `is_detail`, ReadDetails; with the bytes of the records.
  virtual Result<PageContent> ReadWithBytes(const domain::SpecSnapshot& spec,
                                            const HttpResponse& response, bool is_detail) = 0;

  // One record of the last phase: the page's, or of details where the snapshot has them. Yields one record
  // or one bad record; lenient, a record whose id may be empty. An error where the bytes are no document.
  virtual Result<PageContent> ReadRecord(const domain::SpecSnapshot& spec,
                                         const LoneRecord& record) = 0;
};

}  // namespace patra::app
