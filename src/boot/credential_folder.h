#pragma once

#include <string>

namespace patra::boot {

// Where this user's stores on this machine note which credentials they send with.
std::string UsersCredentialFolder();

}  // namespace patra::boot
