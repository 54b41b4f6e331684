// A provider's records, ready to be spliced: for every work the record in the provider's format and
// the canonical JSON of the fields that a source definition maps.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/value.h"
#include "sim/spliced_text.h"
#include "sim/truth.h"
#include "sim/world.h"

namespace patra::sim {

class RecordBook {
 public:
  // Marked text (see Mark) of one work.
  using WriteRecord = std::function<std::string(const Work&)>;
  using MapFields = std::function<Value(const Work&)>;

  RecordBook(const WorkPool& works, const WriteRecord& write);
  RecordBook(const WorkPool& works, const MapFields& map);  // records are the canonical JSON

  void AppendTo(std::string& out, std::int64_t item, const HoleValues& values) const {
    records_[works_.IndexFor(item)].AppendTo(out, values);
  }

  // SHA-256 of the record, in hex.
  std::string HashOf(std::int64_t item, const HoleValues& values) const;

 private:
  const WorkPool& works_;
  std::vector<SplicedText> records_;
};

// The end of every title: names the item and, from the second version on, the version, so that
// every version of every item has other content.
std::string SerialOf(const Entry& entry);

// The members that are not null, empty text or empty lists: absent and empty mean the same.
Value WithoutEmpty(Value::Object members);

// Walks the current versions between two moments.
class CorpusTruth final : public TruthWalk {
 public:
  using Describe = std::function<TruthEntry(const Entry&)>;

  // `silent` says that deletions, which the view lists, are invisible to a harvest.
  CorpusTruth(const Corpus& corpus, Instant from, Instant to, Instant now,
              View::Deletions deletions, bool silent, Describe describe);

  std::optional<TruthEntry> Next() override;

 private:
  static constexpr std::int64_t kStep = 1'000;

  View view_;
  View::Ranks left_;
  bool silent_;
  Describe describe_;
  std::vector<Entry> entries_;
  std::size_t at_ = 0;
};

}  // namespace patra::sim
