# Replaces functions of WherryTests on a simulator: every MPI test runs at every simulated rank count unless it says
# `.not_simulated(why)`; what tests no communication, or the launcher itself, is left out.
function(wherry_unit_tests)
endfunction()
function(wherry_expect)
endfunction()

function(wherry_mpi_tests name)
  wherry_test_binary(${name} ${ARGN})
  foreach(ranks IN LISTS WHERRY_SIMULATED_RANKS)
    add_test(NAME ${name}.${ranks} COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> --any-size)
    set_tests_properties(${name}.${ranks} PROPERTIES
      TIMEOUT 600 LABELS "mpi;harness;simulated;ranks_${ranks}" PROCESSORS 1)
  endforeach()
endfunction()

# Once more with all ranks on one node.
function(wherry_simulated_on_one_node name)
  foreach(ranks IN LISTS WHERRY_SIMULATED_RANKS)
    add_test(NAME ${name}.one_node.${ranks} COMMAND ${WHERRY_LAUNCH} -n ${ranks} $<TARGET_FILE:${name}> --any-size)
    set_tests_properties(${name}.one_node.${ranks} PROPERTIES TIMEOUT 600 PROCESSORS 1
      LABELS "mpi;harness;simulated;ranks_${ranks}" ENVIRONMENT "WHERRY_SIMULATED_NODE=${ranks}")
  endforeach()
endfunction()
