// Which of a request's parameters a provider complains about (the error names the field).
#pragma once

#include <string>
#include <string_view>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// The name of the parameter, or of a filter inside one, that `complaint` speaks of; empty where it names none. A
// word counts when it stands in quotes, before '=' or beside "parameter" and its like: providers' error pages are
// full of words that happen to be names, too.
std::string FindWrongParameter(const SpecSnapshot& spec, std::string_view complaint);

// What to set where the provider complains of the granularity of dates, and ours are finer than days; else nothing. It follows
// the complaint.
std::string HintOnGranularity(const SpecSnapshot& spec, std::string_view complaint);

}  // namespace patra::domain
