#include "boot/keep_out_of_cores.h"

#include <sys/prctl.h>

namespace patra::boot {
namespace {

#ifdef PATRA_SANITIZED
constexpr bool kIsLookedInto = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsLookedInto = true;
#else
constexpr bool kIsLookedInto = false;
#endif
#else
constexpr bool kIsLookedInto = false;
#endif

}  // namespace

void KeepSecretsOutOfCores() {
  if (!kIsLookedInto) prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace patra::boot
