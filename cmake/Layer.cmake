# patra_layer(NAME folder-relative sources are globbed
#             DEPENDS  layers and libraries whose headers this layer's headers may show
#             PRIVATE  libraries that stay inside its .cc files)
#
# A folder is a target: everything in the folder belongs to it and nothing else does. Beside the
# library, a link test links it whole with only what it declares, so that a call into a layer it may
# not know fails to link even where nobody includes a header.
function(patra_layer name)
  cmake_parse_arguments(LAYER "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(list_file IN LISTS nested)
    cmake_path(GET list_file PARENT_PATH folder)
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
  endforeach()

  set(implementations ${sources})
  list(FILTER implementations INCLUDE REGEX "\\.cc$")
  if(NOT implementations)
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${name} INTERFACE ${LAYER_DEPENDS})
    return()
  endif()

  add_library(${name} STATIC ${sources})
  if(PATRA_QUICK)
    target_precompile_headers(${name} REUSE_FROM patra_headers)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    # To GCC, what many files as one hold in unnamed namespaces looks like part of a header.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    # To clang, they are in scope of the files behind them. What a name really hides, GCC tells.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
  endif()
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${LAYER_DEPENDS} PRIVATE ${LAYER_PRIVATE})

  if(PATRA_TESTS)
    add_executable(${name}_links_alone ${CMAKE_SOURCE_DIR}/cmake/links_alone.cc)
    target_link_libraries(${name}_links_alone PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,${name}>)
  endif()
endfunction()

# What nearly every file includes, compiled once; everybody may include all of it. Only where PATRA_QUICK asks for it:
# the plain build compiles every file alone and so notices one that leans on what others include.
function(patra_headers)
  file(WRITE ${CMAKE_BINARY_DIR}/patra_headers.cc "// Holds the precompiled headers.\n")
  add_library(patra_headers STATIC ${CMAKE_BINARY_DIR}/patra_headers.cc)
  target_include_directories(patra_headers PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(patra_headers PRIVATE fmt::fmt)
  # GCC knows a header again by its time: one that was compiled elsewhere would come in twice.
  set_target_properties(patra_headers PROPERTIES CXX_COMPILER_LAUNCHER "")
  target_precompile_headers(patra_headers PRIVATE
    <algorithm> <chrono> <deque> <expected> <functional> <map> <memory> <mutex> <optional> <set> <span> <string>
    <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/format.h>
    <base/canonical_json.h> <base/clock.h> <base/id.h> <base/result.h> <base/time.h> <base/value.h>)
endfunction()
