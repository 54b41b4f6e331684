// One real page of a source, mapped as a harvest would map it, and nothing stored.
#pragma once

#include <string>

#include "app/execute/compiled_sources.h"
#include "app/execute/fetch_page.h"

namespace patra::app {

struct PagePreview {
  domain::PageContent content;
  std::string request_digest;
  std::string response_digest;
  std::string problem;  // why there is no page
  std::string next;     // what a walk would do after this page
};

class PreviewPage {
 public:
  PreviewPage(Sender& sender, CompiledSources& sources, Clock& clock, Log& log,
              const StopRequest& stop)
      : sources_(sources), fetch_(sender, clock, log, stop) {}

  Result<PagePreview> Run(const domain::SpecSnapshot& spec, const domain::Window& window);

 private:
  CompiledSources& sources_;
  FetchPage fetch_;
};

}  // namespace patra::app
