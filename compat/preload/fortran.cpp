#include "fortran.hpp"

#include <cstdio>
#include <cstdlib>

namespace wherry::preload::fortran {

void not_there(const char* name) {
  std::fprintf(stderr, "wherry preload: this program's MPI has no %s\n", name);
  std::abort();
}

#if defined(OPEN_MPI)

namespace {

struct neighbours {
  int in = 0, out = 0;
};

neighbours neighbours_of(MPI_Comm comm) {
  neighbours found;
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &found.in);
    found.in *= 2;
    found.out = found.in;
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &found.in);
    found.out = found.in;
  } else if (topology == MPI_DIST_GRAPH) {
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &found.in, &found.out, &weighted);
  }
  return found;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

}  // namespace

int receivers(collective::kind what, MPI_Comm comm) {
  return what == collective::kind::alltoallw ? size_of(comm) : neighbours_of(comm).out;
}
int senders(collective::kind what, MPI_Comm comm) {
  return what == collective::kind::alltoallw ? size_of(comm) : neighbours_of(comm).in;
}

list_of_types types_at(const void* address, int count) {
  list_of_types list(static_cast<std::size_t>(count));
  const auto* handles = static_cast<const MPI_Fint*>(address);
  for (int i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = PMPI_Type_f2c(handles[i]);
  return list;
}

#endif

}  // namespace wherry::preload::fortran
