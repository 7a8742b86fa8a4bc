// wherry._core: the library for the modules in Python. Users import wherry.
#include <nanobind/nanobind.h>

#include "array_files.hpp"
#include "bound_exchange.hpp"
#include "bound_ghosts.hpp"
#include "collective.hpp"
#include "communicator.hpp"
#include "errors.hpp"
#include "grid.hpp"
#include "halo.hpp"
#include "index.hpp"
#include "particles.hpp"
#include "redistribute.hpp"
#include "sparse.hpp"

NB_MODULE(_core, m) {
  // Objects that modules keep until the interpreter ends are none of the program's faults.
  nanobind::set_leak_warnings(false);
  wherry_python::bind_errors(m);
  wherry_python::bind_communicator(m);
  wherry_python::bind_grid(m);
  wherry_python::bind_exchange(m);
  wherry_python::bind_halo(m);
  wherry_python::bind_index(m);
  wherry_python::bind_sparse(m);
  wherry_python::bind_redistribute(m);
  wherry_python::bind_particles(m);
  wherry_python::bind_ghost_particles(m);
  wherry_python::bind_array_files(m);
  wherry_python::bind_collective(m);
}
