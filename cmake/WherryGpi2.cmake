# WHERRY_GPI2: whether the transport gpi2 is built, as Wherry::gpi2. It needs GPI-2.
set(WHERRY_GPI2 AUTO CACHE STRING "Build the transport gpi2: AUTO (where GPI-2 is found), ON or OFF")
set_property(CACHE WHERRY_GPI2 PROPERTY STRINGS AUTO ON OFF)

set(WHERRY_HAS_GPI2 OFF)
if(WHERRY_GPI2)  # AUTO, too
  find_package(GPI2 QUIET)
  set(WHERRY_HAS_GPI2 ${GPI2_FOUND})
  if(NOT GPI2_FOUND AND NOT WHERRY_GPI2 STREQUAL "AUTO")
    message(FATAL_ERROR "WHERRY_GPI2 is ${WHERRY_GPI2}, and GPI-2 is not found: neither GPI2.pc by pkg-config (PKG_CONFIG_PATH), nor "
      "GASPI.h and libGPI2 in a prefix that -DGPI2_ROOT= or the environment's GPI2_HOME names")
  endif()
endif()
if(WHERRY_HAS_GPI2)
  message(STATUS "GPI-2: ${GPI2_LIBRARY}, GASPI.h in ${GPI2_INCLUDE_DIR}: Wherry::gpi2 is built")
elseif(PROJECT_IS_TOP_LEVEL)
  message(STATUS "GPI-2: not found, or not asked for; no Wherry::gpi2")
endif()
set(WHERRY_HAS_GPI2 ${WHERRY_HAS_GPI2} PARENT_SCOPE)

# wherry_gpi2_library(NAME GASPI): the transport over whatever has GASPI.h.
function(wherry_gpi2_library name gaspi)
  get_property(folder GLOBAL PROPERTY WHERRY_GPI2_FOLDER)
  set(sources failure.cpp gpi2_carrier.cpp holdings.cpp runtime.cpp segment_heap.cpp stage_places.cpp)
  list(TRANSFORM sources PREPEND "${folder}/")
  add_library(${name} ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$ORIGIN")
  wherry_library_options(${name})
  wherry_compile_options(${name})
  target_link_libraries(${name} PUBLIC Wherry::transport PRIVATE ${gaspi})
endfunction()
