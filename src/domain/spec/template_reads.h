// What the templates of a request read of a slice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Every template of the request: path, parameters of all pages, headers and bodies.
std::vector<std::string> TemplatesOf(const HttpSpec& http);

// Every text within a value.
std::vector<std::string> TextsIn(const Value& value);

// Whether the template reads the path, such as "window.to", by itself or as part of what lies above it.
bool Reads(const std::string& text, std::string_view path);
// Whether one of them does.
bool Reads(const HttpSpec& http, std::string_view path);
// The same of the requests of both phases.
bool Reads(const SpecSnapshot& spec, std::string_view path);

}  // namespace patra::domain
