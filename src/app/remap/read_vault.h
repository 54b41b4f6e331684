// The pages of the raw vault as records, by definitions that may have changed since they were fetched.
#pragma once

#include <map>
#include <optional>
#include <variant>

#include "app/execute/compiled_sources.h"
#include "app/port/remap_store.h"
#include "app/port/replay_store.h"
#include "app/quarantine/decide_quarantine.h"
#include "domain/page/page_content.h"

namespace patra::app {

struct MappedPage {
  RecordedBatch batch;
  domain::PageContent content;  // what of it belongs to the window that it was fetched for
};
// Why nothing is made of it.
struct LostPage {
  std::string reason;  // empty where the vault does not have it
};

class ReadVault {
 public:
  ReadVault(ReplayStore& batches, CompiledSources& sources, CurrentSpec current_spec)
      : batches_(batches), sources_(sources), current_spec_(std::move(current_spec)) {}

  // An error of the store ends everything; a page that the definition cannot read is lost, and others are not.
  Result<std::variant<MappedPage, LostPage>> Read(const VaultPage& page, std::int64_t generation);

 private:
  // An update may be read by another endpoint's definition.
  Result<SharedSource> SourceOf(const domain::Lane& lane);

  ReplayStore& batches_;
  CompiledSources& sources_;
  CurrentSpec current_spec_;
  std::map<std::string, Result<SharedSource>> by_lane_;
};

}  // namespace patra::app
