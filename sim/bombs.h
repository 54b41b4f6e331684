// Small bodies that grow when they are read.
#pragma once

#include <cstdint>
#include <string>

namespace patra::sim {

// One gzip stream of so many megabytes of blanks, a thousandth of that long. At most 64 GB.
std::string GzipBomb(std::int64_t megabytes);

std::string DeepJson(std::int64_t depth);  // [[[…]]]; at most 50 million deep
std::string EntityBomb();                  // entities that double a billion times

}  // namespace patra::sim
