#include "unfilled_rim.hpp"

#include "wherry/core/error.hpp"

namespace wherry {

std::string unfilled_rims(const std::vector<field_rim>& rims) {
  std::string lines;
  for (const auto& rim : rims) {
    if ((rim.minus == 0) == (rim.plus == 0)) continue;
    const bool above = rim.plus > 0;
    lines += detail::text(
        "wherry: WHERRY_CHECK: halo_exchange, field ", rim.field, ": dimension ", rim.dimension, " has a ",
        above ? "plus" : "minus", " halo only, and ends: nobody fills the one of the ", above ? "last" : "first",
        " rank. If n + 1 values sit on the planes of n cells, say so: .on(centring<", rim.dimensions, ">::nodes())\n");
  }
  return lines;
}

}  // namespace wherry
