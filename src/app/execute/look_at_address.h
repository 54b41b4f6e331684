// One real answer of an address that no definition describes, and the definition that it may want.
#pragma once

#include <string>

#include "app/api/source_reports.h"
#include "app/send/sender.h"
#include "base/url.h"

namespace patra::app {

class LookAtAddress {
 public:
  explicit LookAtAddress(Sender& sender) : sender_(sender) {}

  // The request goes the way of all others: with a permit, to addresses that may be connected to, with the usual time-outs and
  // bounds. `source` is the name; empty: after the host.
  Result<ProposedSource> Run(const std::string& source, const std::string& address);

 private:
  Result<HttpResponse> Ask(const std::string& source, const Url& url);

  Sender& sender_;
};

}  // namespace patra::app
