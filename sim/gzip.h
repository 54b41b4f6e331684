// Compression of bodies for clients that accept it.
#pragma once

#include <string>
#include <string_view>

namespace patra::sim {

// A gzip stream, made for speed rather than size.
std::string Gzip(std::string_view plain);

}  // namespace patra::sim
