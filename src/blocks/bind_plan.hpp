// What all movers do to bind, whatever their points are.
#pragma once

#include <functional>
#include <span>

#include "wherry/blocks/mover.hpp"

#include "core/terms.hpp"

namespace wherry {

struct moved_elements {
  index_t source = 1, destination = 1;  ///< bytes
  int source_components = 1, destination_components = 1;
};

/// @throws error(argument) where the options and the elements do not go together.
void check_elements(const moved_elements& what, const mover_options& how, int rank);

/// The part of all movers' terms. Which update it is the messages' two sides compare.
template <class Say> void say_options(const mover_options& how, Say& say) {
  say(how.update.has_value(), "whether there is an 'update'");
  say(how.packet_bytes, "'packet_bytes'");
  say(static_cast<bool>(how.inspected), "whether there is an 'inspected'");
}

/// Collective. `inspect` makes this rank's schedule, may throw, and is called once.
exchange bind_plan(const communicator& comm, const std::function<schedule()>& inspect, const terms& agreed,
                   std::span<void* const> table, const mover_options& how);

}  // namespace wherry
