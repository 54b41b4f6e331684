#include "adapter/cli/progress_bar.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/live_line.h"
#include "adapter/cli/table.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

// Of what the terminal has, the bar takes an eighth.
constexpr std::size_t kBarPart = 8;
constexpr std::size_t kBarLeast = 8;
constexpr std::size_t kBarMost = 24;
constexpr Duration kRedrawEvery = std::chrono::milliseconds(100);
constexpr Duration kLineEvery = std::chrono::seconds(5);

// Never full: as long as it is shown something is left, be it only to look whether that was all.
std::string Bar(std::int64_t done, std::int64_t total, std::size_t columns) {
  const auto width = static_cast<std::int64_t>(std::clamp(columns / kBarPart, kBarLeast, kBarMost));
  const auto filled = total <= 0 ? 0 : std::clamp<std::int64_t>(done * width / total, 0, width - 1);
  std::string bar;
  for (std::int64_t i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

}  // namespace

void ProgressBar::Show(const std::string& title, std::int64_t done, std::int64_t total,
                       const std::string& details) {
  if (console_.quiet) return;
  const auto now = clock_.Elapsed();
  const bool is_new = title != title_;
  const auto interval = console_.err_is_terminal ? kRedrawEvery : kLineEvery;
  if (is_new) Finish();
  title_ = title;
  const auto amount =
      total > 0 ? fmt::format("{} of {}", Thousands(done), Thousands(total)) : Thousands(done);
  newest_ = IsLive() ? fmt::format("{} {} {} records  {}", SpelledOnOneLine(title),
                                   Bar(done, total, console_.ErrColumns()), amount,
                                   SpelledOnOneLine(details))
                     : fmt::format("{}: {} records, {}\n", title, amount, details);
  if (!is_new && shown_at_ && now - *shown_at_ < interval) return;
  shown_at_ = now;
  Print();
}

bool ProgressBar::IsLive() const { return console_.err_is_terminal && console_.line != nullptr; }

void ProgressBar::Print() {
  if (newest_.empty()) return;
  if (IsLive()) {
    console_.line->Show(newest_);
  } else {
    fmt::print(console_.err, "{}", newest_);
  }
  newest_.clear();
}

void ProgressBar::Finish() {
  Print();
  if (console_.line != nullptr) console_.line->End();
}

}  // namespace patra::adapter::cli
