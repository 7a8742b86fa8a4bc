/// @file
/// `ghost_filler` makes the most common mover: it fills the ghost cells of an x-array, or combines the values that
/// several boxes share.
///
///     auto fill_ghosts = wherry::ghost_filler(u, space);
///     fill_ghosts();  // or start() … wait()
///
///     auto add_up = wherry::ghost_filler(force, space, {.combine_copies = std::plus<>{}});  // sums at shared nodes
///
/// For several arrays in one message, or other motions, make a `mover` (motion/mover.hpp).
#pragma once

#include <optional>

#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"

namespace wherry {

/// Options of `ghost_filler`. All but `carry.team` and `carry.name` must be the same on all ranks.
template <int N> struct ghost_options {
  /// The directions in which the ghost cells to fill lie.
  stencil_shape stencil = stencil_shape::all();
  /// Combines all copies of each shared value and gives every copy the result, with the same bits on all ranks, instead
  /// of copying the value of its owner. For example, each box has added the contributions of its own cells at its
  /// nodes, and the filler adds up the contributions of the boxes that share a node. All copies go to the owner of the
  /// value, and the result goes back: the mover has two stages.
  std::optional<reduction> combine_copies{};
  /// With `combine_copies`, the number of ghost layers whose values are contributions, too. All ghost layers hold the
  /// result afterwards.
  halo_widths<N> contributing = 0;
  carry_options carry{};  ///< the transport, and other things that change how data travels, but not where to
  /// Makes each grid a part that can be sent as soon as it is ready; see `mover::start_in_parts`.
  bool in_parts = false;
};

/// Makes a mover that fills the ghost cells of `u` from the boxes that hold these cells, periodic images included. For
/// values on planes (`x_array_options::centring`) it also copies each value that several boxes share from its owner to
/// the others. Collective over the communicator of `u`.
/// @throws as the constructor of `mover`.
template <class T, int N>
mover ghost_filler(x_array<T, N>& u, const domain<N>& space, const ghost_options<N>& options = {}) {
  const auto& shape = u.shape();
  const auto fill = halo_motion(u.plan(), shape.centring, shape.ghost_width, space, options.stencil);
  const mover_options carried{.carry = options.carry, .in_parts = options.in_parts};
  if (!options.combine_copies) return mover(fill, u, u, carried);
  const auto give = halo_motion(u.plan(), shape.centring, options.contributing, space, options.stencil).reversed();
  return mover(mover_stages{{{give, u, u, {.update = options.combine_copies}}}, {{fill, u, u}}}, carried);
}

}  // namespace wherry
