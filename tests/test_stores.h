// Where the stores of an end-to-end test are: in files, or on the server that the tests share, by PATRA_TEST_STORE.
#pragma once

#include <cstdlib>
#include <list>

#include "tests/test_database.h"

namespace patra::testing {

class TestStores {
 public:
  // An empty store, in that file or on the server.
  std::string Next(const std::string& file) {
    const auto* kind = std::getenv("PATRA_TEST_STORE");
    if (kind == nullptr || std::string_view(kind) != "mysql") return "sqlite:" + file;
    return AddressOf(databases_.emplace_back().name()).Describe();
  }

 private:
  std::list<TestDatabase> databases_;
};

}  // namespace patra::testing
