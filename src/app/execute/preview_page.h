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
  std::string next{};                      // what a walk would do after this page
};

class PreviewPage {
 public:
  PreviewPage(Sender& sender, CompiledSources& sources, Clock& clock, Log& log,
              const StopRequest& stop)
      : sender_(sender), sources_(sources), fetch_(sender, clock, log, stop) {}

  // At most `pages_max` pages of the walk; where details are a second phase, then those of the first `ids_max` ids.
  Result<std::vector<PagePreview>> Run(const domain::SpecSnapshot& spec,
                                       const domain::Window& window, int pages_max,
                                       std::int64_t ids_max);

 private:
  Result<PagePreview> PageAt(FetchScope& scope, const domain::Position& position, int number);
  Result<PagePreview> DetailsOf(FetchScope& scope, std::vector<std::string> ids);
  PagePreview Seen(const FetchScope& scope, const Result<HttpRequest>& rendered,
                   domain::Phase phase, Fetched fetched) const;

  Sender& sender_;
  CompiledSources& sources_;
  FetchPage fetch_;
};

}  // namespace patra::app
