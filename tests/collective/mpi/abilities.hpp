// Which implementation must be able to do which collective: the tests' own list. What is tested is not for the library
// to say, by `obstacle()`: an implementation that says of itself that it cannot would be tested no more.
#pragma once

#include <mpi.h>

#include <string_view>

#include "wherry/collective/call.hpp"

namespace collective_oracle {

/// What decides, apart from the implementation and the kind of the call.
struct circumstances {
  int size = 1;
  bool one_node = true;        ///< all ranks share memory
  bool nodes_in_order = true;  ///< the ranks of a node follow one another
  bool commutes = true;        ///< of a reduction: the operation
  bool has_coarrays = false;   ///< the library was built with them, and the communicator is of all processes
  bool has_neighbors = false;  ///< the communicator has a topology
};

bool must_do(std::string_view implementation, wherry::collective::kind what, const circumstances& where);

}  // namespace collective_oracle
