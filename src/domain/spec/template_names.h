// The names that the templates of a request may use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct TemplateName {
  std::string path;           // "window.from"
  std::string meaning{};      // for people
  bool is_container = false;  // a list or an object, whose parts have names of their own

  // Whether a template that reads `read` reads this, a part of it where it has parts, or what it is a part of.
  bool Covers(std::string_view read) const;
};

// Those that the requests of an endpoint have, by its role, its paging and its parameters.
std::vector<TemplateName> TemplateNamesOf(const SpecSnapshot& spec);

// All that there are, whatever the endpoint; NAME stands for what a definition names.
std::vector<TemplateName> AllTemplateNames();

// The first parts of all names, and those of expressions: with any other a template is none.
std::vector<std::string> TemplateRoots();

}  // namespace patra::domain
