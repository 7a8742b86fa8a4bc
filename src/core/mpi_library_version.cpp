#include <cstddef>
#include <string>

#include "wherry/core/mpi.hpp"

namespace wherry {

std::string mpi_library_version() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  const std::string all(version, static_cast<std::size_t>(length));
  return all.substr(0, all.find('\n'));
}

}  // namespace wherry
