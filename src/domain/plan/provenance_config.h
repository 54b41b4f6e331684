// The configuration of a source as a plan keeps it beside the expression: how fast, with which credentials, in which windows
// and how patiently is asked, without what shapes requests and the reading of answers.
#pragma once

#include <string>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Canonical JSON: every member of the snapshot that the expression's prototype lacks, with whose it is.
std::string ProvenanceConfig(const SpecSnapshot& spec);

}  // namespace patra::domain
