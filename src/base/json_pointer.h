// JSON pointers (RFC 6901), by which errors name a place inside a value.
#pragma once

#include <string>
#include <string_view>

namespace patra {

// The pointer to a member of the object at `parent`, with ~ and / in its name escaped. The pointer
// to the whole value is empty.
std::string ChildPointer(const std::string& parent, std::string_view name);

}  // namespace patra
