#include "unfilled_rim.hpp"

#include "wherry/core/error.hpp"

namespace wherry {

std::string unfilled_rims(const std::vector<halo_field>& fields, const std::vector<regular_floor_plan>& cuts) {
  std::string lines;
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (int a = 0; a < fields[f].dimensions; ++a) {
      const auto d = static_cast<std::size_t>(a);
      const auto& h = fields[f].halo[d];
      if (cuts[f].periodic(a) || fields[f].on_planes[d] || (h.minus == 0) == (h.plus == 0)) continue;
      const auto* const side = h.plus > 0 ? "plus" : "minus";
      lines += text("wherry: WHERRY_CHECK: halo_exchange, field ", f, ": dimension ", a, " has a ", side,
                    " halo only, and ends: nobody fills the one of the ", h.plus > 0 ? "last" : "first",
                    " rank. If n + 1 values sit on the planes of n cells, say so: .on(centring<", fields[f].dimensions,
                    ">::nodes())\n");
    }
  return lines;
}

}  // namespace wherry
