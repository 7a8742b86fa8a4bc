#include "halo/peers.hpp"

#include <array>

namespace bench::halo {
namespace {

// begin: what a user writes
phase phase_of(const problem& p, std::size_t d, const std::array<bool, 3>& done) {
  constexpr int step[3] = {1, 3, 9};
  phase result{};
  cells slab{};
  for (std::size_t i = 0; i < 3; ++i) {
    slab.lower[i] = done[i] ? 0 : p.halo(i);
    slab.extent[i] = done[i] ? p.whole(i) : p.core(i);
  }
  slab.extent[d] = p.what.width;
  const auto at = [&](int place) {
    slab.lower[d] = place;
    return slab;
  };
  result.low_halo = at(0);
  result.low_core = at(p.what.width);
  result.high_core = at(p.n);
  result.high_halo = at(p.n + p.what.width);
  result.low = p.neighbor(here - step[d]);
  result.high = p.neighbor(here + step[d]);
  result.bytes = p.bytes(slab);
  return result;
}

// end

}  // namespace

// begin: what a user writes
std::vector<phase> phases_of(const problem& p) {
  std::vector<phase> result;
  std::array<bool, 3> done{};
  for (const bool split : {true, false})
    for (std::size_t d = 0; d < 3; ++d) {
      if (!p.has(d) || (p.grid[d] > 1) != split) continue;
      result.push_back(phase_of(p, d, done));
      done[d] = true;
    }
  return result;
}

// end

const std::vector<peer_row>& hand_written() {
  static const std::vector<peer_row> rows{
      {"a message a direction", make_many_messages}, {"one message a rank", make_one_message},
      {"subarray datatypes", make_datatypes},        {"neighbor_alltoallw", make_neighborhood},
      {"three phases", make_three_phases},           {"phases, shared window", make_shared_phases, true},
  };
  return rows;
}

bool share_a_node(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int all = 0, near = 0;
  MPI_Comm_size(comm, &all);
  MPI_Comm_size(node, &near);
  MPI_Comm_free(&node);
  int same = all == near ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, comm);
  return same == 1;
}

}  // namespace bench::halo
