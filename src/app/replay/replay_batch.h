// Asks for a batch once more, as it was asked for, and compares what comes with what is stored.
//
// It reports and writes nothing (I13), unless somebody who signs for it wants what differs in quarantine, or in the
// store.
#pragma once

#include "app/api/replay_report.h"
#include "app/execute/compiled_sources.h"
#include "app/execute/fetch_page.h"
#include "app/port/replay_store.h"
#include "domain/spec/enumerator.h"

namespace patra::app {

struct ReplayCommand {
  Id run = 0;
  Id batch = 0;
  ReplayMode mode = ReplayMode::kReport;
  bool from_raw = false;  // read the page of the raw vault instead of asking the provider
  Decision decision{};    // of whoever isolates or commits
};

class ReplayBatch {
 public:
  ReplayBatch(ReplayStore& store, Sender& sender, CompiledSources& sources, Clock& clock, Log& log,
              const StopRequest& stop)
      : store_(store), sender_(sender), sources_(sources), fetch_(sender, clock, log, stop) {}

  // An error where the batch is not there, or can by its nature not be asked for again. A provider that does not
  // answer is in the report.
  Result<ReplayReport> Run(const ReplayCommand& command);

 private:
  // One batch on its way.
  struct Scene {
    const RecordedBatch& batch;
    const domain::CompiledSource& source;
    bool is_detail = false;

    bool has_ids_only() const {
      return domain::EnumerationOf(source.spec()).gives_ids && !is_detail;
    }
  };
  struct Page;

  // Nothing where no page came; the report says why.
  Result<std::optional<Page>> AskAgain(const Scene& scene, ReplayReport& report);
  Result<Page> ReadVault(const Scene& scene);
  Result<domain::PageContent> ReadAll(const Scene& scene, const std::vector<HttpResponse>& answers);

  Result<void> CompareRecords(const Scene& scene, const domain::PageContent& content,
                              ReplayReport& report);
  Result<void> FindGone(const Scene& scene, const domain::PageContent& content,
                        ReplayReport& report);

  Result<void> Isolate(const Scene& scene, const Page& page, const Decision& decision,
                       ReplayReport& report);
  Result<void> Commit(const Scene& scene, Page& page, const Decision& decision,
                      ReplayReport& report);

  ReplayStore& store_;
  Sender& sender_;
  CompiledSources& sources_;
  FetchPage fetch_;
};

}  // namespace patra::app
