#include "halo/peers.hpp"

namespace bench::halo {

const std::vector<peer_row>& hand_written() {
  static const std::vector<peer_row> rows{
      {"26 messages", make_many_messages},    {"one message a rank", make_one_message},
      {"subarray datatypes", make_datatypes}, {"neighbor_alltoallw", make_neighborhood},
      {"three phases", make_three_phases},
  };
  return rows;
}

// begin: what a user writes
phase phase_of(const problem& p, int dimension, const std::array<bool, 3>& done) {
  phase result{};
  cells slab{};
  for (std::size_t d = 0; d < 3; ++d) {
    slab.lower[d] = done[d] ? 0 : width;
    slab.extent[d] = done[d] ? p.whole() : p.n;
  }
  const auto d = static_cast<std::size_t>(dimension);
  slab.extent[d] = width;
  const auto at = [&](int place) {
    slab.lower[d] = place;
    return slab;
  };
  result.low_halo = at(0);
  result.low_core = at(width);
  result.high_core = at(p.n);
  result.high_halo = at(p.n + width);
  return result;
}

phase phase_of(const problem& p, int dimension) {
  return phase_of(p, dimension, {dimension > 0, dimension > 1, false});
}

// end

}  // namespace bench::halo
