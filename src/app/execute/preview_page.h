// Real pages of a source, mapped as a harvest would map them, and nothing stored.
#pragma once

#include <string>
#include <vector>

#include "app/execute/compiled_sources.h"
#include "app/execute/fetch_page.h"

namespace patra::app {

struct PagePreview {
  std::string what;  // "page 4", "details of 3 ids"
  domain::Position position{};
  std::vector<std::string> asked_ids{};    // of details
  HttpRequest rendered{};                  // without the credential
  HttpRequest request{};                   // for people, with the mask where it went
  std::optional<HttpResponse> response{};  // none where the sender judged it to be no page
  std::string body{};                      // of the answer, also of one that is no page
  domain::PageContent content{};           // with the bytes of its records
  std::string problem{};                   // why there is no page
  bool is_later = false;                   // there was no answer, and there may be one later
  std::string next{};                      // what a walk would do after this page
};

struct PreviewBounds {
  int pages_max = 1;
  std::int64_t ids_max = 0;            // of a second phase, whose details are asked for
  std::optional<Duration> wait_max{};  // for a provider in trouble; without it, seconds
};

class PreviewPage {
 public:
  PreviewPage(Sender& sender, CompiledSources& sources, Clock& clock, Log& log,
              const StopRequest& stop)
      : sender_(sender),
        sources_(sources),
        clock_(clock),
        log_(log),
        fetch_(sender, clock, log, stop) {}

  // Pages of the walk; where details are a second phase, then those of the first ids.
  Result<std::vector<PagePreview>> Run(const domain::SpecSnapshot& spec,
                                       const domain::Window& window, const PreviewBounds& bounds);

 private:
  Result<PagePreview> PageAt(FetchScope& scope, const domain::Position& position, int number);
  Result<PagePreview> DetailsOf(FetchScope& scope, std::vector<std::string> ids);
  PagePreview Seen(const FetchScope& scope, const Result<HttpRequest>& rendered,
                   domain::Phase phase, Fetched fetched) const;

  Sender& sender_;
  CompiledSources& sources_;
  Clock& clock_;
  Log& log_;
  FetchPage fetch_;
};

}  // namespace patra::app
