// The healthy page is parsed and nothing else happens. Else the page is cut along its brackets,
// quotes and commas down to the array of records, every record is checked alone, and the page is
// written again with null in the place of the bad ones. What comes out is an ordinary Document, so
// that nobody downstream has to know: paths, indexes and the envelope (totals, next token) work. Where it takes the page's
// content to tell what its records are, the smallest broken values are replaced, and the records that hold them are found by path.
#include "base/json_salvage.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/document_internal.h"
#include "base/json_items.h"
#include "base/json_text.h"

namespace patra {
namespace {

constexpr std::size_t kBrokenMax = 10'000;  // more, and the page is what is broken

struct Items {
  std::vector<JsonPiece> records;
  int depth = 0;  // of the containers around a record
};

// The pieces of the container that a step chooses; none where it has no such piece.
std::vector<JsonPiece> Choose(std::vector<JsonPiece> pieces, bool is_array,
                              const JsonPath::Step& step) {
  if (std::holds_alternative<JsonPath::EveryChild>(step)) return pieces;
  auto found = pieces.end();
  if (const auto* name = std::get_if<std::string>(&step)) {
    found = std::ranges::find(pieces, *name, &JsonPiece::name);
  } else if (is_array) {
    const auto size = static_cast<std::int64_t>(pieces.size());
    auto index = std::get<std::int64_t>(step);
    if (index < 0) index += size;
    if (index >= 0 && index < size) found = pieces.begin() + index;
  }
  if (found == pieces.end()) return {};
  return {std::move(*found)};
}

// Follows the steps from container to container through the text. A list that the last step names is
// one more container.
std::optional<Items> FindItems(std::string_view text, std::vector<JsonPath::Step> steps) {
  const bool is_one_list = LeadsToOneList(steps);
  if (is_one_list) steps.emplace_back(JsonPath::EveryChild{});
  Items items{.records = {JsonPiece{}}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool is_every = std::holds_alternative<JsonPath::EveryChild>(steps[i]);
    std::vector<JsonPiece> next;
    for (const auto& piece : items.records) {
      auto container = CutJson(text, piece.begin);
      const bool is_list =
          i + 1 < steps.size() || !is_one_list || (container && container->is_array);
      if (!container || !is_list) return std::nullopt;
      auto chosen = Choose(std::move(container->pieces), container->is_array, steps[i]);
      if (chosen.empty() && !is_every) return std::nullopt;
      std::ranges::move(chosen, std::back_inserter(next));
    }
    items.records = std::move(next);
    ++items.depth;
  }
  return items;
}

// Lines and columns of offsets that only grow, in one pass over the text however many there are.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  Place At(std::size_t offset) {
    for (; at_ < offset; ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
    }
    return {.line = line_, .column = static_cast<int>(offset - line_start_) + 1};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

// The page with the broken records replaced, and the way back from its offsets to the old ones.
class Rewritten {
 public:
  explicit Rewritten(std::string_view old) : old_(old) { text_.reserve(old.size()); }

  void Replace(std::size_t begin, std::size_t end, std::string_view by) {
    text_ += old_.substr(copied_, begin - copied_);
    text_ += by;
    copied_ = end;
    seams_.push_back({text_.size(), end});
  }

  std::string Finish() {
    text_ += old_.substr(copied_);
    return std::move(text_);
  }

  // REQUIRES: the offset is not inside a replacement
  std::size_t OldOffset(std::size_t offset) const {
    const auto after = std::ranges::upper_bound(seams_, offset, {}, &Seam::here);
    if (after == seams_.begin()) return offset;
    const auto& seam = *std::prev(after);
    return seam.there + (offset - seam.here);
  }

 private:
  struct Seam {
    std::size_t here;
    std::size_t there;
  };

  std::string_view old_;
  std::string text_;
  std::size_t copied_ = 0;
  std::vector<Seam> seams_;
};

// The page without what is broken in it, or why it is none even so.
Result<Document> Reparse(std::string_view text, Rewritten& page, const DocumentLimits& limits) {
  auto rewritten = page.Finish();
  auto parsed = ParseJsonBytes(rewritten, limits);
  if (parsed) return DocumentAccess::Of(*std::move(parsed));
  // Something outside the records is wrong too.
  const auto check = CheckJson(rewritten, limits.json_depth_max);
  auto error = std::move(parsed).error();
  if (check.trouble) error.place = PlaceOfOffset(text, page.OldOffset(check.trouble->offset));
  return std::unexpected(std::move(error));
}

Result<SalvagedPage> Salvage(std::string_view text, const Items& items,
                             const DocumentLimits& limits, const Error& original) {
  std::vector<BrokenRecord> broken;
  LineCounter lines(text);
  Rewritten page(text);
  for (std::size_t i = 0; i < items.records.size(); ++i) {
    const auto& record = items.records[i];
    const auto bytes = text.substr(record.begin, record.end - record.begin);
    const auto check = CheckJson(bytes, limits.json_depth_max - items.depth);
    if (!check.trouble) continue;
    if (broken.size() >= kBrokenMax) return std::unexpected(original);
    auto error = check.trouble->In(bytes);
    error.place = lines.At(record.begin + check.trouble->offset);
    broken.push_back({i, record.begin, std::string(bytes), std::move(error)});
    page.Replace(record.begin, record.end, "null");
  }
  if (broken.empty()) return std::unexpected(original);
  return SalvagedPage{PATRA_TRY(Reparse(text, page, limits)), std::move(broken)};
}

// A value that is broken, and the containers around it from the outermost on.
struct Trouble {
  struct Around {
    PathPiece piece;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<Around> way;  // the last is the value itself
  std::size_t offset = 0;
  Error error;
};

// Looks for the smallest broken values of a page, for those who cannot tell yet where its records are.
class TroubleSearch {
 public:
  TroubleSearch(std::string_view text, const DocumentLimits& limits)
      : text_(text), limits_(limits) {}

  // Nothing where they cannot be told from the rest.
  std::optional<std::vector<Trouble>> Run() {
    if (!LookInto(0) || found_.empty() || found_.size() > kBrokenMax) return std::nullopt;
    LineCounter lines(text_);
    for (auto& trouble : found_) trouble.error.place = lines.At(trouble.offset);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kWayMax = 32;  // what lies deeper is broken as a whole

  bool LookInto(std::size_t begin) {
    auto container = CutJson(text_, begin);
    if (!container) return false;
    if (!container->is_array && HasTwins(container->pieces)) return false;
    // Names stay where they are: the ways of what is found refer to them.
    const auto& kept = *kept_.emplace_back(
        std::make_unique<const std::vector<JsonPiece>>(std::move(container->pieces)));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto& piece = kept[i];
      const auto bytes = text_.substr(piece.begin, piece.end - piece.begin);
      const auto check =
          CheckJson(bytes, limits_.json_depth_max - static_cast<int>(way_.size()) - 1);
      if (!check.trouble) continue;
      if (!container->is_array && !piece.name) return false;
      way_.push_back({container->is_array ? PathPiece(i) : PathPiece(std::string_view(*piece.name)),
                      piece.begin, piece.end});
      const auto before = found_.size();
      const bool is_within = way_.size() < kWayMax && LookInto(piece.begin);
      if (!is_within || found_.size() == before) {
        found_.resize(before);
        found_.push_back({way_, piece.begin + check.trouble->offset, check.trouble->In(bytes)});
      }
      way_.pop_back();
      if (found_.size() > kBrokenMax) return true;
    }
    return true;
  }

  static bool HasTwins(const std::vector<JsonPiece>& pieces) {
    std::unordered_set<std::string_view> names;
    return std::ranges::any_of(pieces, [&](const JsonPiece& piece) {
      return piece.name && !names.insert(*piece.name).second;
    });
  }

  std::string_view text_;
  const DocumentLimits& limits_;
  std::vector<std::unique_ptr<const std::vector<JsonPiece>>> kept_;
  std::vector<Trouble::Around> way_;
  std::vector<Trouble> found_;
};

// Each trouble has to lie within a record: one that is not chosen may be missing because of it.
Result<SalvagedPage> SalvageChosen(std::string_view text, const JsonPath& items,
                                   const DocumentLimits& limits, const Error& original) {
  TroubleSearch search(text, limits);
  const auto troubles = search.Run();
  if (!troubles) return std::unexpected(original);
  Rewritten page(text);
  for (const auto& trouble : *troubles)
    page.Replace(trouble.way.back().begin, trouble.way.back().end, "null");
  SalvagedPage salvaged{PATRA_TRY(Reparse(text, page, limits)), {}, false};

  std::unordered_map<std::string, std::size_t> indexes;
  const auto chosen = PATRA_TRY(items.SelectLocated(salvaged.document.root()));
  for (std::size_t i = 0; i < chosen.size(); ++i) indexes.emplace(chosen[i].path, i);
  std::map<std::size_t, BrokenRecord> broken;
  for (const auto& trouble : *troubles) {
    bool is_in_record = false;
    std::vector<PathPiece> way;
    for (const auto& around : trouble.way) {
      way.push_back(around.piece);
      const auto found = indexes.find(NormalizedPath(way));
      if (found == indexes.end()) continue;
      is_in_record = true;
      broken.try_emplace(
          found->second,
          BrokenRecord{found->second, around.begin,
                       std::string(text.substr(around.begin, around.end - around.begin)),
                       trouble.error});
    }
    if (!is_in_record) return std::unexpected(original);
  }
  for (auto& [index, record] : broken) salvaged.broken.push_back(std::move(record));
  return salvaged;
}

bool Chooses(JsonSteps steps) {
  return std::ranges::any_of(steps, [](const JsonPath::Step& step) {
    return std::holds_alternative<JsonPath::Chosen>(step);
  });
}

}  // namespace

Result<SalvagedPage> ParseJsonSalvaging(const std::string& bytes, const JsonPath& items,
                                        DocumentLimits limits) {
  const auto steps = items.StepsToItems();
  auto parsed = ParseJsonBytes(bytes, limits);
  if (parsed) return SalvagedPage{DocumentAccess::Of(*std::move(parsed)), {}};
  // Without a place it is not about the text.
  if (parsed.error().place.empty()) return std::unexpected(std::move(parsed).error());

  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const std::size_t skipped = bytes.starts_with(kMark) ? kMark.size() : 0;
  const auto text = std::string_view(bytes).substr(skipped);
  const auto salvage = [&]() -> Result<SalvagedPage> {
    if (Chooses(steps)) return SalvageChosen(text, items, limits, parsed.error());
    const auto found = FindItems(text, steps);
    if (!found) return std::unexpected(parsed.error());
    return Salvage(text, *found, limits, parsed.error());
  };
  auto page = PATRA_TRY(salvage());
  for (auto& record : page.broken) record.offset += skipped;
  return page;
}

}  // namespace patra
