// Where the stores of an end-to-end test are: in files, or on the server that the tests share, by PATRA_TEST_STORE.
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "boot/open_store.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"
#include "tests/test_database.h"

namespace patra::testing {

class TestStores {
 public:
  TestStores() {
    const auto* kind = std::getenv("PATRA_TEST_STORE");  // NOLINT(concurrency-mt-unsafe)
    if (kind == nullptr || std::string_view(kind) != "mysql") return;
    // A database is used by many tests, one after the other: the gate's file of each has a folder that goes with the test.
    gates_.emplace();
    setenv("XDG_RUNTIME_DIR", gates_->Path("").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }

  bool are_on_a_server() const { return gates_.has_value(); }

  // The address of the store in that file or, on the server, of the one that stands for it. Empty at first.
  std::string At(const std::string& file) {
    if (!gates_) return "sqlite:" + file;
    auto& database = databases_[file];
    if (database == nullptr) database = std::make_unique<TestDatabase>();
    return AddressOf(database->name()).Describe();
  }

  // Nobody has any of them open any longer.
  void GiveBack() { databases_.clear(); }

 private:
  std::optional<TemporaryFolder> gates_;
  std::map<std::string, std::unique_ptr<TestDatabase>> databases_;
};

// Looks into a store that nobody here has open. -1 where that fails.
inline std::int64_t CountIn(const std::string& database, const std::string& sql, Clock& clock) {
  const auto address = boot::StoreAddress::Parse(database);
  if (!address) return -1;
  const auto store = boot::OpenStore(*address, boot::StoreUse::kLook, clock);
  EXPECT_TRUE(store) << store.error().Describe();
  if (!store) return -1;
  const auto count =
      DatabaseOf(**store).Read([&](infra::sql::Session& session) { return session.Integer(sql); });
  EXPECT_TRUE(count) << count.error().Describe();
  return count.value_or(-1);
}

}  // namespace patra::testing
