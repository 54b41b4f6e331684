// How long definitions take: compiling one endpoint (bound: 5 ms) and loading and checking everything
// that is shipped (200 ms).
#include <chrono>
#include <cstdio>
#include <filesystem>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "app/source/source_catalog.h"
#include "infra/definitions/yaml_files.h"

namespace patra {
namespace {

const std::string& Folder() {
  static const std::string kFolder = PATRA_SOURCE_DIR "/sources";
  return kFolder;
}

const app::SourceCatalog& Catalog() {
  static infra::definitions::YamlFiles files;
  static const auto kCatalog = app::SourceCatalog::Load(files, Folder());
  return *kCatalog;
}

void CompileEndpoint(benchmark::State& state, const char* source, const char* endpoint) {
  const auto* entry = *Catalog().Find(source);
  for (auto _ : state) {
    auto compiled =
        domain::CompileSource({.definition = entry->definition.tree, .endpoint = endpoint});
    benchmark::DoNotOptimize(compiled);
  }
  state.counters["of_5ms"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 0.005,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(CompileEndpoint, crossref, "crossref", "works")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(CompileEndpoint, pubmed, "pubmed", "articles")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(CompileEndpoint, tushare, "tushare", "daily")->Unit(benchmark::kMicrosecond);

void LoadAndCheckAll(benchmark::State& state) {
  infra::definitions::YamlFiles files;
  for (auto _ : state) {
    const auto catalog = app::SourceCatalog::Load(files, Folder());
    for (const auto& entry : catalog->entries()) {
      auto findings = app::CheckEntry(entry);
      benchmark::DoNotOptimize(findings);
    }
  }
  state.counters["of_200ms"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 0.2,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(LoadAndCheckAll)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace patra

BENCHMARK_MAIN();
