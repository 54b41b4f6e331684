# patra_embed_web(VARIABLE): the dashboard as a source file. npm and what it makes stay in the build folder; a program that is built
# without the dashboard gets an empty list.
find_program(PATRA_NPM npm)
find_program(PATRA_NODE NAMES node nodejs)
if(PATRA_WEB AND NOT (PATRA_NPM AND PATRA_NODE))
  message(WARNING "npm is not here, so that patra is built without its dashboard; 'tools/setup web' installs it, -DPATRA_WEB=OFF is for who wants none")
  set(PATRA_WEB OFF)
endif()

function(patra_embed_web variable)
  set(web ${CMAKE_SOURCE_DIR}/web)
  set(work ${CMAKE_BINARY_DIR}/web)
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/embedded_web_files.cc)
  set(${variable} ${embedded} PARENT_SCOPE)
  if(NOT PATRA_WEB)
    file(CONFIGURE OUTPUT ${embedded} CONTENT [[
#include "adapter/rest/web_assets.h"

namespace patra::adapter::rest {

std::span<const WebFile> EmbeddedWebFiles() { return {}; }

}  // namespace patra::adapter::rest
]])
    return()
  endif()

  set(packages ${web}/package.json ${web}/package-lock.json ${web}/.npmrc)
  add_custom_command(
    OUTPUT ${work}/installed
    COMMAND ${CMAKE_COMMAND} -E make_directory ${work}
    COMMAND ${CMAKE_COMMAND} -E copy ${packages} ${work}
    COMMAND ${CMAKE_COMMAND} -E chdir ${work} ${PATRA_NPM} ci --ignore-scripts --silent
    COMMAND ${CMAKE_COMMAND} -E touch ${work}/installed
    DEPENDS ${packages}
    COMMENT "Installing the packages that the dashboard is built by"
    VERBATIM)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*)
  set(tools ${web}/tools/build.mjs ${web}/tools/embed.mjs)
  add_custom_command(
    OUTPUT ${work}/embedded_web_files.cc
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${work}/src ${work}/tools
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/src ${work}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/tools ${work}/tools
    COMMAND ${CMAKE_COMMAND} -E copy ${web}/tsconfig.json ${work}
    COMMAND ${PATRA_NODE} ${work}/tools/build.mjs ${work}/made
    COMMAND ${PATRA_NODE} ${work}/tools/embed.mjs ${work}/made ${work}/embedded_web_files.cc
    DEPENDS ${sources} ${tools} ${work}/installed
    COMMENT "Building the dashboard"
    VERBATIM)
  set(${variable} ${work}/embedded_web_files.cc PARENT_SCOPE)
endfunction()
