#include "domain/window/place_in_window.h"

#include <gtest/gtest.h>

namespace patra::domain::place_in_window_test {

using namespace std::chrono_literals;

const Instant kFrom{std::chrono::sys_days{std::chrono::year{2026} / 1 / 10}};

TEST(PlaceInWindow, OneStepOfTheFilterIsNothingToWonderAbout) {
  const auto window = Window::Between(kFrom, kFrom + 48h).value();
  for (const auto granularity : {Granularity::kSecond, Granularity::kHour, Granularity::kDay}) {
    const WindowSpec spec{.granularity = granularity};
    const auto step = LengthOf(granularity);
    using enum PlaceInWindow;
    EXPECT_EQ(FindPlace(spec, window, kFrom), kInside);
    EXPECT_EQ(FindPlace(spec, window, kFrom + 48h - Duration(1)), kInside);
    EXPECT_EQ(FindPlace(spec, window, kFrom + 48h), kAtEdge) << "a filter with an inclusive end";
    EXPECT_EQ(FindPlace(spec, window, kFrom - step), kAtEdge);
    EXPECT_EQ(FindPlace(spec, window, kFrom - step - Duration(1)), kOutside);
    EXPECT_EQ(FindPlace(spec, window, kFrom + 48h + step), kOutside);
  }
}

}  // namespace patra::domain::place_in_window_test
