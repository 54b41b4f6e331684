// What the checks of a compiled definition work on.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "domain/spec/merged_view.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct CheckSubject {
  const MergedView& view;
  const SpecSnapshot& spec;
  Operation operation;
  Findings& findings;

  void Complain(std::string_view path, std::string message, std::string hint = {}) const {
    view.Complain(findings, path, std::move(message), std::move(hint));
  }
  void Warn(std::string_view path, std::string message, std::string hint = {}) const {
    view.Warn(findings, path, std::move(message), std::move(hint));
  }
  void Require(bool holds, std::string_view path, std::string message,
               std::string hint = {}) const {
    if (!holds) Complain(path, std::move(message), std::move(hint));
  }
};

}  // namespace patra::domain
