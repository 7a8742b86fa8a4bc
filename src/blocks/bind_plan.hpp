// What all movers do to bind, whatever their points are.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "wherry/blocks/mover.hpp"

namespace wherry {

struct moved_elements {
  index_t source = 1, destination = 1;  ///< bytes
  int source_components = 1, destination_components = 1;
};

/// @throws error(argument) where the options and the elements do not go together.
void check_elements(const moved_elements& what, const mover_options& how, int rank);

/// A number that is the same on ranks that agree.
class option_hash {
 public:
  explicit option_hash(const mover_options& how);
  template <class Part> void add(Part part) { value_ = (value_ ^ static_cast<std::uint32_t>(part)) * 16777619u; }
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 2166136261u;
};

/// Collective. `inspect` makes this rank's schedule, may throw, and is called once.
exchange bind_plan(const communicator& comm, const std::function<schedule()>& inspect, std::uint32_t agreement,
                   std::span<void* const> table, const mover_options& how);

}  // namespace wherry
