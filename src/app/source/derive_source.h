// `extends` in one step: the definition of a source of a known kind, made from its address.
#pragma once

#include "app/api/source_reports.h"
#include "app/port/definition_files.h"
#include "base/result.h"

namespace patra::app {

struct DeriveRequest {
  std::string base;  // the source that is extended
  std::string url;
  std::string folder;
  bool may_write = true;
};

// Nothing is written over; a definition with that address that is there already is the one.
Result<DerivedSource> DeriveSource(DefinitionFiles& files, const DeriveRequest& request);

}  // namespace patra::app
