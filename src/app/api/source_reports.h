// What the use cases about sources answer.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace patra::app {

struct SourceSummary {
  std::string source;
  std::string name;
  std::string file;
  std::vector<std::string> endpoints{};
  bool is_abstract = false;
  std::size_t problems = 0;
};

struct SourceCheck {
  int definitions = 0;
  int endpoints = 0;
  std::vector<Error> problems{};
  std::vector<Error> warnings{};
};

// Where one value of a compiled definition came from.
struct ValueOrigin {
  std::string path;
  std::string text;
  std::string layer;
  std::string place;
};

struct CompiledReport {
  std::string source;
  std::string endpoint;
  std::string snapshot;  // JSON, on several lines
  std::string spec_fingerprint;
  std::string expr_proto_hash;
  std::vector<ValueOrigin> origins{};
  std::vector<Error> problems{};  // then there is no snapshot
  std::vector<Error> warnings{};
};

// A definition that was guessed from an answer.
struct ProposedSource {
  std::string source;
  std::string text;                  // YAML, with the reason of each guess
  std::vector<std::string> notes{};  // what of the address should be looked at
};

// The definition of a source of a known kind.
struct DerivedSource {
  std::string source;
  std::string file;
  bool is_new = false;  // else it was there already
};

struct ExchangeReport {
  std::string name;
  std::vector<std::string> differences{};  // none: as expected
};

}  // namespace patra::app
