// Turns a provider's page into records, by the paths of the snapshot.
#pragma once

#include <optional>
#include <vector>

#include "app/port/transport.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct PageContent {
  std::vector<domain::Record> records;
  std::vector<domain::BadRecord> bad_records;
  std::optional<std::int64_t> announced;  // how many records the whole walk has, says the provider

  std::size_t size() const { return records.size() + bad_records.size(); }
};

class PageReader {
 public:
  virtual ~PageReader() = default;

  virtual Result<PageContent> Read(const domain::SpecSnapshot& spec,
                                   const HttpResponse& response) = 0;
};

}  // namespace patra::app
