#include "app/checkup/checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/made_certificate.h"

namespace patra::app::checkup_test {

using Level = CheckupLine::Level;
using ::testing::HasSubstr;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

struct FakeMachine final : Machine {
  Result<DiskRoom> RoomAt(const std::string&) override { return room; }
  Result<bool> IsOpenToOthers(const std::string&) override { return is_open; }
  Result<std::string> Read(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return Fail(ErrorCode::kNotFound, path + " cannot be read");
    return found->second;
  }
  std::optional<bool> IsClockKept() override { return is_clock_kept; }
  std::int64_t OpenFilesMax() override { return files_max; }

  Result<DiskRoom> room = DiskRoom{.free_bytes = 100 * kGiB, .bytes = 200 * kGiB};
  Result<bool> is_open = false;
  std::map<std::string, std::string> files;
  std::optional<bool> is_clock_kept = true;
  std::int64_t files_max = 65'536;
};

struct MachineCheckup : ::testing::Test {
  CheckupLine Line(const std::string& topic) {
    CheckupLines lines;
    CheckMachine(machine, "/data/patra.db", lines);
    for (const auto& line : lines) {
      if (line.topic == topic) return line;
    }
    return {.topic = "none"};
  }

  FakeMachine machine;
};

TEST_F(MachineCheckup, FindsNothingToSayAboutAMachineThatIsWell) {
  CheckupLines lines;
  CheckMachine(machine, "/data/patra.db", lines);
  for (const auto& line : lines) EXPECT_EQ(line.level, Level::kOk) << line.said;
}

TEST_F(MachineCheckup, ADiskThatFillsUpIsWarnedOfAndAFullOneIsWrong) {
  machine.room = DiskRoom{.free_bytes = kGiB, .bytes = 4 * kGiB};
  EXPECT_EQ(Line("disk").level, Level::kWarn);
  machine.room = DiskRoom{.free_bytes = 4 * kGiB, .bytes = 200 * kGiB};
  EXPECT_EQ(Line("disk").level, Level::kWarn) << "two per cent";
  machine.room = DiskRoom{.free_bytes = kGiB / 10, .bytes = kGiB};
  EXPECT_EQ(Line("disk").level, Level::kWrong);
  EXPECT_THAT(Line("disk").said, HasSubstr("102 MiB"));
}

TEST_F(MachineCheckup, ADiskThatCannotBeLookedAtIsSaidSo) {
  machine.room = Fail(ErrorCode::kUnavailable, "nobody knows");
  EXPECT_EQ(Line("disk").level, Level::kWrong);
}

TEST_F(MachineCheckup, AStoreThatOthersMayReadIsWarnedOfWithWhatToType) {
  machine.is_open = true;
  EXPECT_EQ(Line("files").level, Level::kWarn);
  EXPECT_EQ(Line("files").advice, "chmod 600 /data/patra.db");
}

TEST_F(MachineCheckup, AClockThatNobodyKeepsRightIsWarnedOf) {
  machine.is_clock_kept = false;
  EXPECT_EQ(Line("clock").level, Level::kWarn);
  machine.is_clock_kept.reset();
  EXPECT_EQ(Line("clock").level, Level::kWarn);
}

TEST_F(MachineCheckup, TooFewOpenFilesAreWarnedOf) {
  machine.files_max = 256;
  CheckupLines lines;
  CheckMachine(machine, {}, lines);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back().level, Level::kWarn);
  EXPECT_THAT(lines.back().said, HasSubstr("256"));
}

struct CertificateCheckup : ::testing::Test {
  CertificateCheckup() { machine.files = {{"c.pem", made.certificate}, {"k.pem", made.key}}; }
  CheckupLine Line() {
    CheckupLines lines;
    CheckCertificate(machine, "c.pem", "k.pem", now, lines);
    EXPECT_EQ(lines.size(), 1U);
    return lines.at(0);
  }

  const Instant ends = *ParseRfc3339("2026-04-01T00:00:00Z");
  const testing::MadeCertificate made =
      testing::MakeCertificate(ends - std::chrono::days(90), ends);
  Instant now = ends - std::chrono::days(60);
  FakeMachine machine;
};

TEST_F(CertificateCheckup, OneThatIsValidIsWell) { EXPECT_EQ(Line().level, Level::kOk); }

TEST_F(CertificateCheckup, OneThatEndsSoonIsWarnedOfAndOneThatHasEndedIsWrong) {
  now = ends - std::chrono::days(3);
  EXPECT_EQ(Line().level, Level::kWarn);
  EXPECT_THAT(Line().said, HasSubstr("2026-04-01"));
  now = ends;
  EXPECT_EQ(Line().level, Level::kWrong);
  now = ends - std::chrono::days(91);
  EXPECT_EQ(Line().level, Level::kWrong) << "it has not begun";
}

TEST_F(CertificateCheckup, AKeyOfAnotherAndFilesThatAreNotThereAreWrong) {
  machine.files["k.pem"] = testing::MakeCertificate(now, ends).key;
  EXPECT_THAT(Line().said, HasSubstr("is not the key of"));
  machine.files.erase("k.pem");
  EXPECT_THAT(Line().said, HasSubstr("k.pem cannot be read"));
  machine.files["c.pem"] = "nothing";
  EXPECT_EQ(Line().level, Level::kWrong);
}

TEST_F(CertificateCheckup, AKeyThatOthersMayReadIsWarnedOfBesideWhatTheCertificateSays) {
  machine.is_open = true;
  CheckupLines lines;
  CheckCertificate(machine, "c.pem", "k.pem", now, lines);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].level, Level::kWarn);
  EXPECT_EQ(lines[0].advice, "chmod 600 k.pem");
  EXPECT_EQ(lines[1].level, Level::kOk);
}

}  // namespace patra::app::checkup_test
