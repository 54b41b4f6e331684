// Where requests of a source may go. An address that a provider sends (a `next` link, a redirect) is
// foreign data: it leads to the source's own host, to one that the definition lists, or nowhere.
#pragma once

#include "base/result.h"
#include "base/url.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

class Reach {
 public:
  static Result<Reach> Of(const domain::HttpSpec& http);

  // kInvalidInput where it may not, with the host in the message.
  Result<void> Check(const Url& url) const;

  bool is_secure() const { return home_.is_secure(); }

  // Whether it is the source's own origin: credentials go nowhere else.
  bool IsHome(const Url& url) const { return url.Origin() == home_.Origin(); }

 private:
  Reach(Url home, std::vector<std::string> hosts)
      : home_(std::move(home)), hosts_(std::move(hosts)) {}

  bool IsListed(const Url& url) const;

  Url home_;
  std::vector<std::string> hosts_;  // "host" on its usual port, or "host:port"
};

}  // namespace patra::app
