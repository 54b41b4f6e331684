// What people decide about quarantined records: take one in as it is, drop it, or try it again.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/execute/compiled_sources.h"
#include "app/port/quarantine_repository.h"

namespace patra::app {

// The definition of that lane as it is at present.
using CurrentSpec = std::function<Result<domain::SpecSnapshot>(const domain::Lane&)>;

struct Approval {
  Id id = 0;
  std::optional<std::string> item_id{};  // where the bytes name none, or a wrong one
  std::optional<std::string> fields{};   // a JSON object instead of what can be mapped
};

class DecideQuarantine {
 public:
  DecideQuarantine(QuarantineRepository& quarantine, CompiledSources& sources,
                   CurrentSpec current_spec)
      : quarantine_(quarantine), sources_(sources), current_spec_(std::move(current_spec)) {}

  // Fields are mapped as far as they can be; those that break a rule are left out.
  Result<QuarantineDecided> Approve(const Approval& approval, const Decision& decision);

  Result<QuarantineDecided> Reject(Id id, const Decision& decision);

  // Maps the bytes anew. Where they are still bad, and the record has an id that the source can be asked
  // for, UPDATE is told to fetch it; else an error says what is still wrong, and the record stays open.
  Result<QuarantineDecided> Retry(Id id, const Decision& decision);

 private:
  Result<QuarantinedBytes> Find(Id id);
  Result<SharedSource> CurrentSource(const domain::Lane& lane);

  QuarantineRepository& quarantine_;
  CompiledSources& sources_;
  CurrentSpec current_spec_;
};

}  // namespace patra::app
