#include "wherry/halo/halo_view.hpp"

namespace wherry::detail {

void check_extents(std::span<const index_t> extents, index_t given) {
  index_t elements = 1;
  std::string factors;
  for (const index_t extent : extents) {
    if (extent < 0) throw error(error_kind::argument, "halo", text("an extent is ", extent));
    factors += text(factors.empty() ? "" : " × ", extent);
    elements = checked{"halo", "number of elements"}.product(elements, extent);
  }
  if (given < elements)
    throw error(error_kind::argument, "halo",
                text("an array of ", factors, " has ", elements, " elements, ", given, " were given"));
}

}  // namespace wherry::detail
