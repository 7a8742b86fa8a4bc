# Replaces functions of WherryTests on a simulator: every MPI test runs at every simulated rank count unless it says
# `.not_simulated(why)`; what tests no communication, or the launcher itself, is left out.
#
# A process a test, called `binary.test.RANKS`, or as many as it says by `.simulated_in(N)`, `binary.test.I.RANKS`: SimGrid 3.32
# keeps a trace of every request that MPI_Test has ended, and searches them all at each next one.
function(wherry_unit_tests)
endfunction()
function(wherry_expect)
endfunction()
function(wherry_over_gpi2)  # ranks that share a process share GASPI's one state, too
endfunction()

function(wherry_on_device)  # a device's queues are a thread of their own
endfunction()

function(wherry_add_simulated name test ranks shares)
  math(EXPR last "${shares} - 1")
  foreach(share RANGE ${last})
    set(entry ${name}.${test}.${ranks})
    if(shares GREATER 1)
      set(entry ${name}.${test}.${share}.${ranks})
    endif()
    add_test(NAME ${entry}
      COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> --any-size --only "${name}.${test}$" --share ${share}/${shares})
    set_tests_properties(${entry} PROPERTIES
      TIMEOUT 1200 LABELS "mpi;simulated;ranks_${ranks}" PROCESSORS 2)  # two places are a core, and it never waits for others
  endforeach()
endfunction()

function(wherry_mpi_tests name)
  wherry_test_binary(${name} ${ARGN})
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;RANKS;LIBRARIES")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_SOURCES})
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "\\.o$")  # made by nvcc, with no test of its own
      continue()
    endif()
    file(STRINGS ${source} misplaced REGEX "^[^W].*[.]simulated_in\\(")
    if(misplaced)
      message(FATAL_ERROR "${source}: simulated_in must stand in the first line of its test: ${misplaced}")
    endif()
    file(STRINGS ${source} lines REGEX "^WHERRY_TEST\\(")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^WHERRY_TEST\\(([a-zA-Z0-9_]+).*" "\\1" test "${line}")
      set(shares 1)
      if(line MATCHES "[.]simulated_in\\(([0-9]+)\\)")
        set(shares ${CMAKE_MATCH_1})
      endif()
      foreach(ranks IN LISTS WHERRY_SIMULATED_RANKS)
        wherry_add_simulated(${name} ${test} ${ranks} ${shares})
      endforeach()
    endforeach()
  endforeach()
endfunction()

# Once more on one node, of half as many ranks: a large one has that many cores.
function(wherry_simulated_on_one_node name test)
  foreach(most IN LISTS WHERRY_SIMULATED_RANKS)
    math(EXPR ranks "(${most} + 1) / 2")
    add_test(NAME ${name}.${test}.one_node.${ranks}
      COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> --any-size --only "${name}.${test}$")
    set_tests_properties(${name}.${test}.one_node.${ranks} PROPERTIES
      TIMEOUT 1200 LABELS "mpi;simulated;ranks_${most}" PROCESSORS 2 ENVIRONMENT "WHERRY_SIMULATED_NODE=${ranks}")
  endforeach()
endfunction()
