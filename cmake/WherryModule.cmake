# wherry_module(NAME [SOURCES file...] [PLANNING file...] [DEPENDS module...] [LIBRARIES target...])
#
# Makes target wherry_NAME, known as Wherry::NAME. Without sources it is an INTERFACE library.
# DEPENDS names other modules; LIBRARIES names anything else it needs. PLANNING names sources of the module that wherry_plan is
# made of, too: they are compiled once, as wherry_NAME_planning, so that a fresh checkout has ./run plan without the library.
#
# wherry_module_objects(NAME RESULT): all that wherry_NAME is made of, for a library that has it inside.
#
# wherry_add_modules(NAME...): the folders src/NAME, and those of the modules that they stand on.

# A module's sources are compiled some at a time, as one, so that headers are parsed and templates instantiated once for all of them. The
# preset dev has 1: after a change one source is compiled, and a missing #include is an error.
set(WHERRY_SOURCES_AT_ONCE 16 CACHE STRING "How many sources of a module are compiled as one")

function(wherry_compile_at_once target)
  if(WHERRY_SOURCES_AT_ONCE GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${WHERRY_SOURCES_AT_ONCE})
    # Both warnings would be about names from other files of the same compilation.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

set(WHERRY_PURE_MODULES geometry plan)  # these know nothing of MPI
set_property(GLOBAL PROPERTY WHERRY_BUILT "")

function(wherry_planning target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${target} PRIVATE MPI::MPI_CXX Threads::Threads)
  wherry_library_options(${target})
  wherry_compile_options(${target})
  wherry_compile_at_once(${target})
  wherry_precompile_module(${target})
endfunction()

function(wherry_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PLANNING;DEPENDS;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "wherry_module(${name}): do not understand '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(target wherry_${name})
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} ${arg_SOURCES})
    if(arg_PLANNING)
      wherry_planning(${target}_planning ${arg_PLANNING})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_planning>)
    endif()
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    set_target_properties(${target} PROPERTIES
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      INSTALL_RPATH "$ORIGIN")
    wherry_library_options(${target})
    wherry_compile_options(${target})
    wherry_compile_at_once(${target})
    if(name IN_LIST WHERRY_PURE_MODULES)
      target_compile_options(${target} PRIVATE ${WHERRY_COMPUTING_OPTIONS})
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(Wherry::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})

  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} ${WHERRY_CHOSEN_HEADERS}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(NOT name IN_LIST WHERRY_PURE_MODULES)
    target_link_libraries(${target} ${scope} MPI::MPI_CXX Threads::Threads)
    target_compile_definitions(${target} ${scope} OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    if(arg_SOURCES)
      wherry_precompile_module(${target})
    endif()
  endif()
  set_property(GLOBAL PROPERTY WHERRY_${name}_STANDS_ON ${arg_DEPENDS})
  list(TRANSFORM arg_DEPENDS PREPEND Wherry::)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY WHERRY_BUILT ${name})
endfunction()

function(wherry_module_objects name result)
  set(objects "")
  foreach(target wherry_${name} wherry_${name}_planning)
    if(TARGET ${target})
      get_target_property(kind ${target} TYPE)
      if(NOT kind STREQUAL "INTERFACE_LIBRARY")
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
      endif()
    endif()
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

function(wherry_add_modules)
  set(wanted ${ARGN})
  while(wanted)
    list(POP_FRONT wanted module)
    get_property(added GLOBAL PROPERTY WHERRY_BUILT)
    if(NOT module IN_LIST added)
      add_subdirectory("${PROJECT_SOURCE_DIR}/src/${module}")
      get_property(below GLOBAL PROPERTY WHERRY_${module}_STANDS_ON)
      list(APPEND wanted ${below})
    endif()
  endwhile()
endfunction()

# wherry_has(RESULT MODULE...): whether all of these are built.
function(wherry_has result)
  get_property(built GLOBAL PROPERTY WHERRY_BUILT)
  set(missing ${ARGN})
  list(REMOVE_ITEM missing ${built})
  if(missing)
    set(${result} OFF PARENT_SCOPE)
  else()
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()
