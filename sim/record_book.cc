#include "sim/record_book.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"

namespace patra::sim {

RecordBook::RecordBook(const WorkPool& works, const WriteRecord& write) : works_(works) {
  records_.reserve(works.all().size());
  for (const auto& work : works.all()) records_.emplace_back(write(work));
}

RecordBook::RecordBook(const WorkPool& works, const MapFields& map)
    : RecordBook(works, WriteRecord([&](const Work& work) { return CanonicalJson(map(work)); })) {}

std::string RecordBook::HashOf(std::int64_t item, const HoleValues& values) const {
  std::string record;
  AppendTo(record, item, values);
  return Sha256Hex(record);
}

std::string SerialOf(const Entry& entry) {
  return entry.version == 1 ? fmt::format("({})", entry.item)
                            : fmt::format("({}, version {})", entry.item, entry.version);
}

Value WithoutEmpty(Value::Object members) {
  std::erase_if(members, [](const auto& member) {
    const auto& value = member.second;
    return value.is_null() || (value.AsString() && value.AsString()->empty()) ||
           (value.AsArray() && value.AsArray()->empty());
  });
  return members;
}

CorpusTruth::CorpusTruth(const Corpus& corpus, Instant from, Instant to, Instant now,
                         View::Deletions deletions, bool silent, Describe describe)
    : view_(corpus, now, View::Order::kByUpdate, deletions),
      left_(view_.Between(from, to)),
      silent_(silent),
      describe_(std::move(describe)) {}

std::optional<TruthEntry> CorpusTruth::Next() {
  if (at_ == entries_.size()) {
    if (left_.count() <= 0) return std::nullopt;
    entries_.clear();
    at_ = 0;
    const auto step = std::min(kStep, left_.count());
    view_.Collect({left_.first, left_.first + step}, entries_);
    left_.first += step;
    if (entries_.empty()) return std::nullopt;
  }
  auto entry = describe_(entries_[at_++]);
  if (entry.deleted) {
    entry.hash.clear();
    entry.silent = silent_;
  }
  return entry;
}

}  // namespace patra::sim
