// All that can be asked of one store, whichever way one comes in. Whoever changes something says who it is.
#pragma once

#include <string>

#include "app/api/alerts.h"
#include "app/api/changes.h"
#include "app/api/corrections.h"
#include "app/api/gate_keys.h"
#include "app/api/healing.h"
#include "app/api/holds.h"
#include "app/api/kept_answers.h"
#include "app/api/names.h"
#include "app/api/quarantine.h"
#include "app/api/registry_moves.h"
#include "app/api/schedule.h"
#include "app/api/signals.h"
#include "app/api/tokens.h"
#include "app/api/verification.h"
#include "contract/read_side.h"

namespace patra::app {

class Desk {
 public:
  virtual ~Desk() = default;

  virtual contract::ReadSide& read() = 0;
  virtual Names& names() = 0;
  virtual Verification& verification() = 0;
  virtual Changes& changes() = 0;
  virtual Corrections& corrections() = 0;
  virtual Quarantine& quarantine() = 0;
  virtual Holds& holds() = 0;
  virtual Signals& signals() = 0;
  virtual Healing& healing() = 0;
  virtual Alerts& alerts() = 0;
  virtual GateKeys& gate_keys() = 0;
  virtual RegistryMoves& registry_moves() = 0;
  virtual Schedule& schedule() = 0;
  virtual Tokens& tokens() = 0;
  virtual KeptAnswers& kept_answers() = 0;

  // What somebody wrote, without secrets that definitions refer to. Whatever is decided here is kept so.
  virtual std::string WithoutSecrets(const std::string& text) = 0;
};

}  // namespace patra::app
