#include "halo_fields.hpp"

#include <array>

namespace lattice_boltzmann {

// begin: what a user writes
std::vector<wherry::halo_field> halo_fields(const halo_parts& parts, population_field& array) {
  const auto& stride = array.strides();
  const auto cells = array.whole().extents();
  std::vector<wherry::halo_field> fields;
  for (int q = 0; q < parts.lattice.populations; ++q) {
    const wherry::view<double, 3> one(array.data() + q * stride[3], {cells[0], cells[1], cells[2]},
                                      wherry::point<3>{stride[0], stride[1], stride[2]}, array.space());
    std::array<wherry::halo_descriptor, 3> halo;
    for (std::size_t d = 0; d < 3; ++d) {
      const int c = parts.lattice.velocity[q][d];
      const bool all = parts.kind == halo_kind::full, cut = parts.mine.cut[d];
      const wherry::index_t first = array.widths().minus[d];
      halo[d] = {cut && (all || c > 0), cut && (all || c < 0), first, first + parts.mine.extent[d] - 1, cells[d]};
    }
    fields.push_back(halo_of(wherry::halo_view<double, 3>(one, halo)));
  }
  return fields;
}
// end

}  // namespace lattice_boltzmann
