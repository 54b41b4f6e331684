#include "domain/heal/changed_response.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/document.h"
#include "base/path.h"

namespace patra::domain {
namespace {

// Looking into more of them would tell nothing new.
constexpr std::size_t kSamplesMax = 5;
constexpr std::size_t kNamesMax = 12;
constexpr std::size_t kWhyBytesMax = 200;
constexpr std::size_t kNameBytesMax = 40;

std::vector<std::string> RequiredPaths(const RecordPaths& paths) {
  auto required = paths.response.id;
  if (paths.response.updated) required.push_back(*paths.response.updated);
  for (const auto& field : paths.fields) {
    if (field.required) required.push_back(field.path);
  }
  return required;
}

std::optional<Document> Parse(const RecordPaths& paths, const BadRecord& record) {
  auto document = paths.response.format == ResponseFormat::kXml ? Document::ParseXml(record.bytes)
                                                                : Document::ParseJson(record.bytes);
  if (!document) return std::nullopt;
  return *std::move(document);
}

bool LeadsSomewhere(const RecordPaths& paths, const std::string& text, const Document& record) {
  PathOptions options{.language = paths.response.format == ResponseFormat::kXml
                                      ? PathLanguage::kXPath
                                      : PathLanguage::kJsonPath};
  for (const auto& [prefix, uri] : paths.response.namespaces) options.namespaces[prefix] = uri;
  const auto path = Path::Compile(text, options);
  if (!path) return true;  // not the answer's fault
  Computed computed;
  const auto found = path->First(record.root(), computed);
  return found && found->has_value() && !(*found)->is_null();
}

std::vector<std::string> TopNames(const Document& record) {
  std::vector<std::string> names;
  for (const auto [name, child] : record.root().children()) {
    if (name.empty() || std::ranges::find(names, name) != names.end()) continue;
    if (names.size() == kNamesMax) {
      names.emplace_back("…");
      break;
    }
    names.emplace_back(name.substr(0, kNameBytesMax));
  }
  return names;
}

// The paths that lead nowhere in any of the samples, if that is all of them.
bool NothingResolves(const RecordPaths& paths, std::span<const BadRecord> bad) {
  const auto required = RequiredPaths(paths);
  const auto samples = bad.first(std::min(bad.size(), kSamplesMax));
  return !required.empty() && std::ranges::all_of(samples, [&](const BadRecord& sample) {
    const auto record = Parse(paths, sample);
    return record && std::ranges::none_of(required, [&](const std::string& path) {
             return LeadsSomewhere(paths, path, *record);
           });
  });
}

}  // namespace

std::string ChangedResponse::Describe() const {
  return fmt::format(
      "the response does not fit the definition: {} of {} records have nothing sound at {}{}; they "
      "have {}",
      failing, records, fmt::join(vanished, ", "), why.empty() ? "" : fmt::format(" ({})", why),
      names.empty() ? "no names" : fmt::format("{}", fmt::join(names, ", ")));
}

std::optional<ChangedResponse> FindChange(const RecordPaths& paths, std::int64_t good_records,
                                          std::span<const BadRecord> bad_records,
                                          const ChangePolicy& policy) {
  const auto bad = static_cast<std::int64_t>(bad_records.size());
  if (!policy.stops || bad == 0) return std::nullopt;
  ChangedResponse change{.records = good_records + bad};
  const auto required = RequiredPaths(paths);
  std::map<std::string, std::int64_t> failing;
  const BadRecord* sample = nullptr;
  for (const auto& record : bad_records) {
    const bool is_required = std::ranges::find(required, record.path) != required.end();
    if (!is_required) continue;
    if (sample == nullptr) sample = &record;
    ++failing[record.path];
  }
  for (const auto& [path, count] : failing) {
    const bool is_most =
        static_cast<double>(count) > policy.failing_part_over * static_cast<double>(change.records);
    if (count < policy.failing_min || !is_most) continue;
    change.vanished = {path};
    change.failing = count;
  }
  if (good_records == 0 && bad >= policy.unresolved_min && NothingResolves(paths, bad_records)) {
    change.vanished = required;
    change.failing = bad;
    sample = &bad_records.front();
  }
  if (change.vanished.empty() || sample == nullptr) return std::nullopt;
  if (change.vanished.size() == 1) change.why = sample->reason.substr(0, kWhyBytesMax);
  if (const auto record = Parse(paths, *sample)) change.names = TopNames(*record);
  return change;
}

}  // namespace patra::domain
