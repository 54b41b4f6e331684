#include "boot/keep_out_of_cores.h"

#include <sys/prctl.h>

namespace patra::boot {

void KeepSecretsOutOfCores() {
  // Sanitizers look into the process.
#ifndef PATRA_SANITIZED
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

}  // namespace patra::boot
