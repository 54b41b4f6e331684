// A desk, an engine and a library that answer what the test prepared.
#pragma once

#include "adapter/rest/services.h"
#include "tests/adapter/cli/fake_services.h"

namespace patra::adapter::rest {

class FakeRestServices final : public Services {
 public:
  explicit FakeRestServices(const Clock& clock) : clock_(clock) {}

  app::Desk& desk() override { return fake_desk; }
  app::Desk& desk_for_changes() override { return fake_desk; }
  app::Operations& operations() override { return fake_operations; }
  app::SourceLibrary& library() override { return fake_library; }
  const Clock& clock() const override { return clock_; }
  std::vector<std::string> NotReady() override { return not_ready; }
  std::string Metrics() override { return "patra_up 1\n"; }

  cli::FakeDesk fake_desk;
  cli::FakeOperations fake_operations;
  cli::FakeLibrary fake_library;
  std::vector<std::string> not_ready;

 private:
  const Clock& clock_;
};

}  // namespace patra::adapter::rest
