// Turns a provider's page into records, by the paths of a snapshot, which are compiled once.
//
// The source's error rules come first: an answer that matches one is no page, whatever its status,
// and yields no records.
#pragma once

#include <optional>

#include "base/result.h"
#include "domain/page/page_answer.h"
#include "domain/page/page_content.h"
#include "domain/page/page_mapping.h"
#include "domain/spec/phase.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Reads JSON, XML and column-shaped pages. Immutable: threads may use it at the same time.
//
// An error is a document that cannot be read, or is not the page that the snapshot describes; kNotFound, where the document says
// enough to blame the snapshot, and something that it names is not there; kExhausted, one that holds
// more than is taken of a page (domain/item/record.h).
class PageReader {
 public:
  static Result<PageReader> Compile(const SpecSnapshot& spec);

  // REQUIRES: the snapshot has details, for kDetail
  Result<PageContent> Read(const PageAnswer& answer, Phase phase = Phase::kSearch,
                           RecordBytes bytes = RecordBytes::kLeft) const;

  // One record of the last phase: the page's, or of details where the snapshot has them. Yields one record
  // or one bad record; lenient, a record whose id may be empty. An error where the bytes are no document.
  Result<PageContent> ReadRecord(const LoneRecord& record) const;

 private:
  PageReader(PageMapping page, std::optional<PageMapping> details)
      : page_(std::move(page)), details_(std::move(details)) {}

  PageMapping page_;
  std::optional<PageMapping> details_;
};

}  // namespace patra::domain
