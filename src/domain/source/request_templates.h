// The templates of one kind of request, parsed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/template.h"
#include "domain/hook/provider_hooks.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct NamedTemplate {
  std::string name;
  Template text;
};

struct RequestTemplates {
  Template path;
  std::vector<NamedTemplate> query{};
  std::optional<std::vector<NamedTemplate>> next_query{};  // as in HttpSpec
  std::vector<NamedTemplate> headers{};
  std::optional<ValueTemplate> json_body{};
  std::vector<NamedTemplate> form_body{};

  const RequestHook* hook = nullptr;  // changes what the others make

  static Result<RequestTemplates> Compile(const HttpSpec& http,
                                          const std::optional<HookSpec>& hooks = {});
};

}  // namespace patra::domain
