// The healthy page is parsed and nothing else happens. Else the page is cut along its brackets,
// quotes and commas down to the array of records, every record is checked alone, and the page is
// written again with null in the place of the bad ones. What comes out is an ordinary Document, so
// that nobody downstream has to know: paths, indexes and the envelope (totals, next token) work.
#include "base/json_salvage.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

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

  auto rewritten = page.Finish();
  auto parsed = ParseJsonBytes(rewritten, limits);
  if (parsed) return SalvagedPage{DocumentAccess::Of(*std::move(parsed)), std::move(broken)};
  // Something outside the records is wrong too.
  const auto check = CheckJson(rewritten, limits.json_depth_max);
  auto error = std::move(parsed).error();
  if (check.trouble) error.place = PlaceOfOffset(text, page.OldOffset(check.trouble->offset));
  return std::unexpected(std::move(error));
}

}  // namespace

Result<SalvagedPage> ParseJsonSalvaging(const std::string& bytes, const JsonPath& items,
                                        DocumentLimits limits) {
  const auto steps = items.StepsToItems();
  if (!steps) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the path '{}' may leave records out", items.text()), {},
                "only names, indexes and [*]");
  }
  auto parsed = ParseJsonBytes(bytes, limits);
  if (parsed) return SalvagedPage{DocumentAccess::Of(*std::move(parsed)), {}};
  // Without a place it is not about the text.
  if (parsed.error().place.empty()) return std::unexpected(std::move(parsed).error());

  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const std::size_t skipped = bytes.starts_with(kMark) ? kMark.size() : 0;
  const auto text = std::string_view(bytes).substr(skipped);
  const auto found = FindItems(text, *steps);
  if (!found) return std::unexpected(std::move(parsed).error());
  auto page = PATRA_TRY(Salvage(text, *found, limits, parsed.error()));
  for (auto& record : page.broken) record.offset += skipped;
  return page;
}

}  // namespace patra
