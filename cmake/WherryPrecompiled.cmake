# wherry_precompiled_headers(name LIBRARIES target... [HEADERS <header>...] [OPTIONS option...]): makes `name`, and
# wherry_precompile(target name): lets target, which must be compiled with the same options, begin with those headers.
#
# For machines that compile everything once and throw it away: a test then compiles in half to three quarters of the time.
# It hides missing #includes, and what our own headers are warned of, so another build must be without. Off by default:
# ccache and precompiled headers do not go together.
option(WHERRY_PRECOMPILED_HEADERS "Parse what nearly all tests and applications include once" OFF)

function(wherry_precompiled_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;HEADERS;OPTIONS")
  if(NOT WHERRY_PRECOMPILED_HEADERS)
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  if(NOT EXISTS "${source}")
    file(WRITE "${source}" "// Only its precompiled headers matter.\n")
  endif()
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  wherry_compile_options(${name})
  target_precompile_headers(${name} PRIVATE <algorithm> <array> <chrono> <cstring> <functional> <iostream> <map> <memory>
    <numeric> <optional> <random> <set> <span> <sstream> <string> <vector> <wherry/wherry.hpp> ${arg_HEADERS})
endfunction()

function(wherry_precompile target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
