# One place for language level, warnings, sanitizers and the tools that make builds fast.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
# Line tables are enough for a backtrace, and half the link time of full debug information.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_QUICK "-O1")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -fno-omit-frame-pointer")

find_program(CCACHE ccache)
if(CCACHE)
  # The base directory lets clones and work trees in different places share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# A member left out of a designated initializer has its default: that is what defaults are for.
add_compile_options(-Wno-missing-field-initializers)
# Everywhere, so that one precompiled header fits all.
add_compile_options(-pthread)
add_compile_options(-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these inside libstdc++ and fmt for code that is correct.
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized)
  if(PATRA_QUICK)
    # A compiler that collects no garbage before it has 800 MB needs a sixth less time.
    add_compile_options(--param=ggc-min-expand=300 --param=ggc-min-heapsize=800000)
  endif()
elseif(PATRA_QUICK)
  # In compiled headers clang takes libstdc++'s own code for ours; what we use that is deprecated, GCC tells.
  add_compile_options(-Wno-deprecated-declarations)
endif()

# What hostile input counts on is made hard: smashed stacks, overrun buffers, indexes past the end, tables of addresses
# that can be written to, code at a known place. Sanitizers check the same and more, and do not go along with it.
if(NOT PATRA_SANITIZE AND NOT PATRA_FUZZ)
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
# Programs only: there are no shared libraries.
add_compile_options(-fPIE)
add_link_options(-pie)

# For code that sanitizers get in the way of: compilers do not agree on how to tell.
if(PATRA_SANITIZE OR PATRA_FUZZ)
  add_compile_definitions(PATRA_SANITIZED)
endif()

if(PATRA_SANITIZE)
  add_compile_options(-fsanitize=${PATRA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PATRA_SANITIZE})
endif()

if(PATRA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
