# wherry_unit_tests(name SOURCES file... [LIBRARIES target...])                   one process, no MPI; COMPUTES: worth optimising
# wherry_mpi_tests(name SOURCES file... [RANKS 1 2 3 4 8] [LIBRARIES target...])  one ctest entry a rank count; WAITS: its ranks mostly
#                                                                               wait, and so share the cores with more entries
# wherry_over_gpi2(name RANKS n... [APART n...] [WITHOUT test...])                such a binary once more with WHERRY_TRANSPORT=gpi2
# wherry_on_device(name RANKS n... [WITHOUT test...])                             such a binary once more with fields on a device
# wherry_test_library(name SOURCES file... LIBRARIES target...)                   what several of those share; optimised
# wherry_must_not_compile(name [ONE_ERROR] [file "expected words"]...)             see tests/harness/must_not_compile.py
#
# An entry is called `name` or `name.RANKS`. Both kinds take TIMEOUT seconds for the whole binary; the harness itself limits
# each test. Link is against Wherry::wherry and the harness.
set(WHERRY_TEST_LOGS "${PROJECT_BINARY_DIR}/logs")
file(MAKE_DIRECTORY "${WHERRY_TEST_LOGS}")

function(wherry_test_options name)
  wherry_compile_options(${name})
  if("COMPUTES" IN_LIST ARGN)
    target_compile_options(${name} PRIVATE ${WHERRY_COMPUTING_OPTIONS})
    return()
  endif()
  target_compile_options(${name} PRIVATE ${WHERRY_TEST_OPTIONS})
  wherry_precompile(${name} wherry_test_headers)
endfunction()

function(wherry_test_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC wherry_harness Wherry::wherry ${arg_LIBRARIES})
  wherry_test_options(${name} COMPUTES)
endfunction()

function(wherry_test_binary name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WAITS;COMPUTES" "TIMEOUT" "SOURCES;RANKS;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "tests '${name}': wants SOURCES; do not understand '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE wherry_harness Wherry::wherry ${arg_LIBRARIES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  wherry_test_options(${name} ${ARGN})
endfunction()

function(wherry_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COMPUTES" "TIMEOUT" "SOURCES;LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  wherry_test_binary(${name} ${ARGN})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "unit;harness"
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# How much room for running entries (two places a core, tools/run/testing.py) one of so many ranks takes.
function(wherry_test_places result ranks waits)
  set(places 1)
  if(ranks GREATER 1 AND NOT waits)
    set(places 2)
  endif()
  set(${result} ${places} PARENT_SCOPE)
endfunction()

function(wherry_mpi_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WAITS" "TIMEOUT" "SOURCES;RANKS;LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 1200)
  endif()
  if(NOT arg_RANKS)
    set(arg_RANKS 1 2 3 4 8)
  endif()
  wherry_test_binary(${name} ${ARGN})
  foreach(ranks IN LISTS arg_RANKS)
    wherry_test_places(places ${ranks} ${arg_WAITS})
    add_test(NAME ${name}.${ranks} COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks} PROPERTIES
      TIMEOUT ${arg_TIMEOUT} LABELS "mpi;harness;ranks_${ranks}" PROCESSORS ${places})
  endforeach()
endfunction()

# Entries name.nodes_of_SIZE.RANKS: the same tests, or those of ONLY, on nodes of SIZE ranks, with messages between them.
function(wherry_on_small_nodes name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SIZES;RANKS;ONLY;WITHOUT")
  if(WHERRY_MPI_FAMILY MATCHES "^simgrid")
    return()
  endif()
  list(TRANSFORM arg_WITHOUT PREPEND "--without=")
  set(only "")
  foreach(test IN LISTS arg_ONLY)
    list(APPEND only --only ${test})
  endforeach()
  foreach(size IN LISTS arg_SIZES)
    foreach(ranks IN LISTS arg_RANKS)
      set(entry ${name}.nodes_of_${size}.${ranks})
      wherry_test_places(places ${ranks} FALSE)
      add_test(NAME ${entry} COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> ${only} ${arg_WITHOUT})
      set_tests_properties(${entry} PROPERTIES TIMEOUT 600 LABELS "mpi;harness;ranks_${ranks}" PROCESSORS ${places}
        ENVIRONMENT "WHERRY_NODE_SIZE=${size}")
    endforeach()
  endforeach()
endfunction()

# Entries gpi2.name.RANKS and, with each rank as a node, gpi2.name.RANKS.apart. GASPI is ours (tests/gpi2).
function(wherry_over_gpi2 name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;APART;WITHOUT")
  target_link_libraries(${name} PRIVATE wherry_with_gpi2)
  list(TRANSFORM arg_WITHOUT PREPEND "--without=")
  list(TRANSFORM arg_APART APPEND ".apart")
  foreach(way IN LISTS arg_RANKS arg_APART)
    string(REGEX MATCH "[0-9]+" ranks "${way}")
    set(environment WHERRY_TRANSPORT=gpi2 WHERRY_TEST_WAY=gpi2 WHERRY_TEST_SECONDS=1)
    if(way MATCHES "apart")
      list(APPEND environment WHERRY_NODE_SIZE=1)
    endif()
    wherry_test_places(places ${ranks} FALSE)
    add_test(NAME gpi2.${name}.${way} COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> ${arg_WITHOUT})
    set_tests_properties(gpi2.${name}.${way} PROPERTIES TIMEOUT 1200 LABELS "mpi;harness;ranks_${ranks}" PROCESSORS ${places}
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# Entries device.name.RANKS: with fields on a device, the fake one (wherry/device/device.hpp) unless WHERRY_DEVICE names another.
function(wherry_on_device name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;WITHOUT")
  list(TRANSFORM arg_WITHOUT PREPEND "--without=")
  foreach(ranks IN LISTS arg_RANKS)
    wherry_test_places(places ${ranks} FALSE)
    add_test(NAME device.${name}.${ranks} COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> ${arg_WITHOUT})
    set_tests_properties(device.${name}.${ranks} PROPERTIES TIMEOUT 1200 LABELS "mpi;harness;ranks_${ranks}"
      PROCESSORS ${places} ENVIRONMENT "WHERRY_TEST_WAY=device;WHERRY_TEST_SECONDS=1")
  endforeach()
endfunction()

# Entries hosts.name.RANKS: over two hosts made for it (tools/run/hosts.py), skipped where there can be none; MPI is started for one thread.
function(wherry_over_hosts name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;WITHOUT")
  # MPICH 4.0.2 does not always end MPI_Finalize between hosts; of others tools/run/launch.py knows nothing.
  if(NOT WHERRY_MPI_FAMILY STREQUAL "openmpi-4" OR WHERRY_SANITIZE)
    return()
  endif()
  list(TRANSFORM arg_WITHOUT PREPEND "--without=")
  foreach(ranks IN LISTS arg_RANKS)
    wherry_test_places(places ${ranks} FALSE)
    add_test(NAME hosts.${name}.${ranks}
      COMMAND ${WHERRY_LAUNCH} --hosts 2 --may-skip -n ${ranks} $<TARGET_FILE:${name}> ${arg_WITHOUT})
    set_tests_properties(hosts.${name}.${ranks} PROPERTIES TIMEOUT 600 LABELS "mpi;harness;hosts;ranks_${ranks}" PROCESSORS ${places}
      SKIP_RETURN_CODE 77 ENVIRONMENT "WHERRY_TEST_WAY=hosts;WHERRY_TEST_SECONDS=1")
  endforeach()
endfunction()

# wherry_expect(name WORDS "word" "word" [ONCE "word"] [WITHOUT "word"] [LINES most] [WITHIN seconds] [STATUS nonzero|zero] [LABELS more...] COMMAND ...):
# runs it and looks at what it says.
function(wherry_expect name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WITHIN;STATUS;LINES" "WORDS;ONCE;WITHOUT;COMMAND;ENVIRONMENT;LABELS")
  if(NOT arg_WITHIN)
    set(arg_WITHIN 60)
  endif()
  if(NOT arg_STATUS)
    set(arg_STATUS nonzero)
  endif()
  set(words "")
  foreach(word IN LISTS arg_WORDS)
    list(APPEND words --words "${word}")
  endforeach()
  foreach(word IN LISTS arg_ONCE)
    list(APPEND words --once "${word}")
  endforeach()
  foreach(word IN LISTS arg_WITHOUT)
    list(APPEND words --without "${word}")
  endforeach()
  if(arg_LINES)
    list(APPEND words --lines ${arg_LINES})
  endif()
  add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/harness/expect.py"
    --within ${arg_WITHIN} --status ${arg_STATUS} ${words} -- ${arg_COMMAND})
  set(ranks 1)
  if("${arg_COMMAND}" MATCHES ";-n;([0-9]+);")
    set(ranks ${CMAKE_MATCH_1})
  endif()
  wherry_test_places(places ${ranks} FALSE)
  set_tests_properties(${name} PROPERTIES LABELS "expect;${arg_LABELS}" PROCESSORS ${places} SKIP_RETURN_CODE 77
    ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

function(wherry_must_not_compile name)
  set(errors "")
  if("${ARGV1}" STREQUAL ONE_ERROR)
    list(POP_FRONT ARGN)
    set(errors --most-errors 1)
  endif()
  list(GET ARGN 0 first)
  set(cases "")
  while(ARGN)
    list(POP_FRONT ARGN source words)
    list(APPEND cases --case "${CMAKE_CURRENT_SOURCE_DIR}/${source}" "${words}")
  endwhile()
  # The object library is never built: it only gathers the flags.
  add_library(${name}_flags OBJECT EXCLUDE_FROM_ALL "${first}")
  target_link_libraries(${name}_flags PRIVATE Wherry::wherry)
  set(property $<TARGET_PROPERTY:${name}_flags)
  add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/harness/must_not_compile.py"
    ${errors} ${cases}
    --includes "${property},INCLUDE_DIRECTORIES>" --definitions "${property},COMPILE_DEFINITIONS>"
    --compiler "${CMAKE_CXX_COMPILER}")
  set_tests_properties(${name} PROPERTIES LABELS "must_not_compile" TIMEOUT 300)
endfunction()
