#include "wherry/blocks/index_mover.hpp"

#include "bind_plan.hpp"
#include "index_motion.hpp"

namespace wherry {

exchange bind_index_motion(const communicator& comm, const std::function<std::vector<placed_motion>()>& inspect,
                           const index_array_shape& source, const index_array_shape& destination, bool endogenous,
                           std::span<void* const> table, const mover_options& how) {
  const terms agreed([&](auto& say) {
    say_options(how, say);
    const auto say_shape = [&say](const index_array_shape& shape, const char* name) {
      say(shape.element, "the bytes of an element of ", name);
      say(shape.components, "the number of components of ", name);
      say(shape.interleaved, "whether the components are interleaved in ", name);
    };
    say_shape(source, "the source");
    say_shape(destination, "the destination");
  });
  const auto make = [&] {
    check_elements({source.element, destination.element, source.components, destination.components}, how, comm.rank());
    return plan_index_motion(inspect(), source, destination, endogenous, how.update ? 0 : store, how.packet_bytes,
                             comm.rank());
  };
  return bind_plan(comm, make, agreed, table, how);
}

}  // namespace wherry
