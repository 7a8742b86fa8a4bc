// The objects for which the handles of particles and of their ghosts stand.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "wherry/particles/ghost_particles.hpp"
#include "wherry/particles/particle_exchange.hpp"

#include "handles.hpp"
#include "particle_arguments.hpp"

namespace wherry_c {

struct particle_exchange_object {
  std::variant<wherry::particle_exchange<1>, wherry::particle_exchange<2>, wherry::particle_exchange<3>> exchange;
  particle_arguments arguments{};
  std::vector<std::int64_t> order{};
  std::vector<int> neighbors{};
};
template <> inline constexpr kind kind_of<particle_exchange_object> = kind::particle_exchange;

struct ghost_particles_object {
  std::variant<wherry::ghost_particles<1>, wherry::ghost_particles<2>, wherry::ghost_particles<3>> ghosts;
  particle_arguments arguments{};
};
template <> inline constexpr kind kind_of<ghost_particles_object> = kind::ghost_particles;

inline particle_exchange_object& particles_of(wherry_particle_exchange exchange, std::string_view where) {
  return object_of<particle_exchange_object>(exchange, where, "exchange");
}

/// The arguments of a call. An error in them is kept in the call, because the other ranks wait for this one.
template <class Step>
const wherry::detail::particle_call& read_call(particle_arguments& all, const wherry::communicator& comm,
                                               std::string_view where, Step&& step) {
  all.call = {};
  all.fault = wherry::detail::error_of(comm, where, step);
  if (all.fault) {
    all.call = {};
    all.call.fault = &*all.fault;
  }
  return all.call;
}

}  // namespace wherry_c
