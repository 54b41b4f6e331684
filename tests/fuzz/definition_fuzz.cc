// Whatever bytes a definition has: reading, checking and compiling it neither crashes nor hangs, every
// problem has a place, and what compiles can be written and read back.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "domain/spec/compile_source.h"
#include "infra/definitions/yaml_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace patra;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto file = infra::definitions::ParseYaml(text, "fuzz.yaml");
  const auto checked = domain::CheckDefinition(file.tree, nullptr);
  for (const auto& problem : checked.problems) {
    if (problem.place.file.empty() || problem.message.empty()) std::abort();
  }
  for (const auto& endpoint : checked.endpoints()) {
    const auto compiled = domain::CompileSource({.definition = checked.tree, .endpoint = endpoint});
    if (!compiled) continue;
    const auto read = domain::SpecSnapshot::FromValue(compiled->spec.ToValue());
    if (!read || !(*read == compiled->spec)) std::abort();
  }
  return 0;
}
