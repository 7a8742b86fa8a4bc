#include <algorithm>
#include <cstdint>

#include "halo.hpp"
#include "pack.hpp"

namespace lattice_boltzmann {

const std::vector<halo_version> halo_versions = {
    {"datatype", make_datatype_halo, LINES_DATATYPE}, {"packed", make_packed_halo, LINES_PACKED},
    {"segments", make_segments_halo, LINES_SEGMENTS}, {"layouts", make_layouts_halo, LINES_LAYOUTS},
    {"wherry", make_wherry_halo, LINES_WHERRY},
};

std::size_t largest_link(const halo_parts& parts) {
  std::uint64_t largest = 0;
  for (const auto& one : links_of(parts.mine, parts.lattice, parts.kind))
    largest = std::max<std::uint64_t>(largest, size_of(one.leaves) * one.out.size());
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_UINT64_T, MPI_MAX, parts.mine.comm);
  return largest;
}

}  // namespace lattice_boltzmann
