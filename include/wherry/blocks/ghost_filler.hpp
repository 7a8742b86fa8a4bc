/// @file
/// The most common movers: `ghost_filler` fills the ghost cells of an x-array, and `copy_combiner` adds up the values
/// that several boxes share.
///
///     auto fill_ghosts = wherry::ghost_filler(u, space);
///     fill_ghosts();  // or start() … wait()
///
/// For several arrays in one message, or other motions, make a `mover` (motion/mover.hpp).
#pragma once

#include <type_traits>

#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"

namespace wherry {

/// Makes a mover that fills the ghost cells of `u` from the boxes that hold these cells, periodic images included. For
/// values on planes (`x_array_options::on`) it also copies each value that several boxes share from its owner to the
/// others. Collective over the communicator of `u`.
/// @param stencil the ghost cells to fill; without it all are filled
/// @throws as the constructor of `mover`.
template <class T, int N>
mover ghost_filler(x_array<T, N>& u, const domain<N>& space, const stencil_shape& stencil,
                   const mover_options& how = {}) {
  return mover(halo_motion(u.plan(), u.shape().on, u.shape().ghost_width, space, stencil), how, u, u);
}
template <class T, int N> mover ghost_filler(x_array<T, N>& u, const domain<N>& space, const mover_options& how = {}) {
  return ghost_filler(u, space, stencil_shape::all(), how);
}

/// Makes a mover that combines all copies of each shared value and gives every copy the result, with the same bits on
/// all ranks. For example, each box has added the contributions of its own cells at its nodes, and the mover adds up
/// the contributions of the boxes that share a node:
///     auto add_up = wherry::copy_combiner(force, space, std::plus<>{});
/// The mover has two stages: all copies go to the owner of the value, and the result goes back. It is the counterpart
/// of `combine_copies` for halo exchanges. Collective over the communicator of `u`.
/// @param ghosts number of ghost layers whose values are combined, too; all ghost layers hold the result afterwards
/// @param how options of the mover; its `update` is ignored
/// @throws as the constructor of `mover`.
template <class T, int N>
mover copy_combiner(x_array<T, N>& u, const domain<N>& space, const reduction& combine,
                    const std::type_identity_t<halo_widths<N>>& ghosts = 0, mover_options how = {}) {
  how.update.reset();
  const auto in = halo_motion(u.plan(), u.shape().on, ghosts, space).reversed();
  const auto out = halo_motion(u.plan(), u.shape().on, u.shape().ghost_width, space);
  return mover(mover_stages{{{in, u, u, {.update = combine}}}, {{out, u, u}}}, how);
}

}  // namespace wherry
