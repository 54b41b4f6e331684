// What all providers of one simulator share.
#pragma once

#include "sim/corpus.h"
#include "sim/work.h"

namespace patra::sim {

struct World {
  explicit World(const CorpusOptions& options) : corpus(options), works(options.seed) {}

  const Corpus corpus;
  const WorkPool works;
};

}  // namespace patra::sim
