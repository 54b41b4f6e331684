// Draws up the completeness certificate of a range: proven stretches and slices in, certificate out. Pure but
// for the reading.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "contract/certificate.h"
#include "domain/cursor/coverage.h"
#include "domain/word/window.h"

namespace patra::app {

// Collects what is known about a range. Slices come in any order; their number is not kept but for those
// that have not succeeded, of which there are few.
class CertificateDraft {
 public:
  CertificateDraft(contract::CoverageKey key, const domain::Window& range,
                   const std::vector<contract::Stretch>& proven);

  // `promise`: what the provider of the slice's plan announces. `differences`: the keys in which what that plan asked for
  // differs from what the definition in force asks for.
  void Add(const contract::SliceRow& slice, const contract::TotalPromise& promise,
           const std::vector<std::string>& differences = {});

  // Whether the slices have to be gone through once more, because some did not add up.
  bool has_imbalances() const { return !newer_.empty(); }
  void Outdate(const contract::SliceRow& slice, const contract::TotalPromise& promise);

  contract::Certificate Finish(std::int64_t quarantine_open, Instant now) &&;

 private:
  // By the whole slice or a part of it.
  void AddProof(const contract::SliceRow& slice, const contract::RecordSums& sums,
                const domain::Window& window, const contract::TotalPromise& promise);
  void AddProofOfParts();
  void NoteAsked(const contract::SliceRow& slice, const domain::Window& inside,
                 const std::vector<std::string>& differences);
  void NameGaps(Instant now);
  void NameAskedOtherwise();

  const domain::Window range_;
  domain::Coverage proven_;
  struct Asked {
    domain::Coverage whole{};
    std::map<Id, domain::Window> partial{};  // by slice
  };
  Asked as_asked_;
  Asked asked_otherwise_;
  std::set<std::string> differences_;
  std::map<Id, domain::Coverage> parts_;  // of slices that were cut: what others took over
  contract::Certificate certificate_;
  std::vector<std::map<Id, contract::ProvenBy>> by_plan_;  // one per proven stretch
  std::vector<contract::SliceRow> unfinished_;
  std::map<Id, contract::TotalPromise> partial_;  // of those that may have proven a part themselves
  std::map<Id, domain::Coverage>
      newer_;  // of each slice that does not add up: what came right since
};

// What has to be planned for the range to become complete. Left out is what an executor will bring anyway:
// slices that are queued or running. Neighbours are one window.
std::vector<domain::Window> GapsToPlan(const contract::Certificate& certificate);

// What counts as proven and does not add up.
std::vector<domain::Window> WindowsToReadAgain(const contract::Certificate& certificate);

}  // namespace patra::app
