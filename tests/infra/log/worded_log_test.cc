#include "infra/log/worded_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace patra::infra::log::worded_log_test {

class Kept final : public app::Log {
 public:
  explicit Kept(Value::Object& details) : details_(details) {}
  void Write(app::LogLevel, std::string_view, const domain::Lineage&,
             const Value::Object& details) override {
    details_ = details;
  }

 private:
  Value::Object& details_;
};

TEST(WordedLog, TextsLeaveInTheWordsOfTheWayIn) {
  Value::Object seen;
  WordedLog log(std::make_unique<Kept>(seen),
                [](std::string_view text) { return fmt::format("<{}>", text); });
  log.Write(app::LogLevel::kWarn, "x", {},
            {{"reason", "a"}, {"count", 3}, {"notes", Value::Array{"b", 4}}});
  EXPECT_EQ(Value(seen), Value(Value::Object{
                             {"reason", "<a>"}, {"count", 3}, {"notes", Value::Array{"<b>", 4}}}));
}

}  // namespace patra::infra::log::worded_log_test
