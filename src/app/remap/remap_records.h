// Applies the definition in force to everything that the raw vault has of an endpoint, page by page: no request is sent, lineage stays,
// what changes is told like any change. Interrupted, the same command goes on; done twice, the second finds nothing to do.
#pragma once

#include "app/api/remapping.h"
#include "app/port/item_views.h"
#include "app/port/remap_store.h"
#include "app/port/replay_store.h"
#include "app/remap/read_vault.h"

namespace patra::app {

struct RemapCommand {
  domain::SpecSnapshot spec;  // of the endpoint's harvests, as it is in force
  std::optional<Instant> since{};
  bool dry_run = false;
  Decision decision{};
};

class RemapRecords {
 public:
  RemapRecords(RemapStore& store, ReplayStore& batches, ItemViews& views, ReadVault& vault)
      : store_(store), batches_(batches), views_(views), vault_(vault) {}

  Result<RemapReport> Run(const RemapCommand& command, const Remapping::OnLook& on_look,
                          const Remapping::OnProgress& on_progress);

 private:
  Result<RemapLook> Look(const RemapCommand& command, const domain::Lane& lane);
  Result<void> Apply(Remap& remap, const Decision& decision, RemapReport& report,
                     const Remapping::OnProgress& on_progress);
  Result<void> Take(Remap& remap, MappedPage page, const Decision& decision, RemapReport& report);
  Result<std::int64_t> Isolate(MappedPage& page, const Decision& decision);

  RemapStore& store_;
  ReplayStore& batches_;
  ItemViews& views_;
  ReadVault& vault_;
};

}  // namespace patra::app
