// From the text of a template to what Render walks over. Only for template*.cc.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/template.h"
#include "base/template_expression.h"

namespace patra::expression {

struct ParsedTemplate {
  std::vector<std::variant<std::string, Expression>> pieces;  // text and placeholders, in order
  std::vector<std::string> paths;                             // read by the placeholders, each once
};

Result<ParsedTemplate> ParseTemplate(std::string_view text, const TemplateOptions& options);

// Where an offset of a template is: the column, and the line if the template has several.
Place PlaceInTemplate(std::string_view text, std::size_t offset);

}  // namespace patra::expression
