#pragma once

namespace patra::boot {

// Credentials stand in this process's memory: from here on it leaves no core file, and nobody without more rights than its
// user has can look into it. Not under sanitizers, which look into their own process.
void KeepSecretsOutOfCores();

}  // namespace patra::boot
