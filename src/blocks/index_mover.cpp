#include "wherry/blocks/index_mover.hpp"

#include "bind_plan.hpp"
#include "index_motion.hpp"

namespace wherry {

exchange bind_index_motion(const communicator& comm, const std::function<std::vector<placed_motion>()>& inspect,
                           const index_array_shape& source, const index_array_shape& destination, bool endogenous,
                           std::span<void* const> table, const mover_options& how) {
  option_hash hash(how);
  for (const auto* side : {&source, &destination}) {
    hash.add(side->element);
    hash.add(side->components);
    hash.add(side->interleaved);
  }
  const auto make = [&] {
    check_elements({source.element, destination.element, source.components, destination.components}, how, comm.rank());
    return plan_index_motion(inspect(), source, destination, endogenous, how.update ? 0 : store, how.packet_bytes,
                             comm.rank());
  };
  return bind_plan(comm, make, hash.value(), table, how);
}

}  // namespace wherry
