// How programs are built, seen from inside one.
#include <link.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "boot/keep_out_of_cores.h"

namespace patra::hardening_test {

#if defined(_FORTIFY_SOURCE) && _FORTIFY_SOURCE > 0  // the sign of a build without sanitizers

TEST(Hardening, AddressesAreFixedBeforeTheProgramStartsAndNoneIsKnownBeforehand) {
  ElfW(Xword) flags = 0;
  for (const auto* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_FLAGS_1) flags = entry->d_un.d_val;
  }
  EXPECT_NE(flags & DF_1_NOW, 0u);
  EXPECT_NE(flags & DF_1_PIE, 0u);
}

TEST(Hardening, AnIndexPastTheEndEndsTheProgram) {
#ifndef _GLIBCXX_ASSERTIONS
  FAIL() << "the library does not check";
#endif
}

TEST(Hardening, NoCoreFileHoldsSecrets) {
  EXPECT_EXIT(
      {
        boot::KeepSecretsOutOfCores();
        _exit(prctl(PR_GET_DUMPABLE));  // without ending what threads of the parent began
      },
      ::testing::ExitedWithCode(0), "");
}

#endif

}  // namespace patra::hardening_test
