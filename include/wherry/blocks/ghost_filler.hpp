/// @file
/// The commonest movers: those that fill the ghost cells of one x-array, and add up what several boxes share.
#pragma once

#include <type_traits>

#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"

namespace wherry {

/// A mover that fills all ghost cells of `u` from the boxes that hold them, and from periodic images. Of values on
/// planes (`x_array_options::on`) it also gives what several boxes share to all of them, from the one whose it is.
/// Collective; binds once, moves any number of times.
///     auto fill_ghosts = wherry::ghost_filler(u, space);
///     fill_ghosts();  // or start() … wait()
/// @param stencil which of them
/// @throws as the constructor of `mover`.
template <class T, int N>
mover ghost_filler(x_array<T, N>& u, const domain<N>& space, const mover_options& how = {},
                   const stencil_shape& stencil = stencil_shape::all()) {
  return mover(halo_motion(u.floor(), u.shape().on, u.shape().ghost, space, stencil), how, u, u);
}

/// A mover for values that several boxes hold, as nodes to which each box's cells have given their share: every copy of
/// a value becomes what all copies come to, the same bits everywhere. In two
/// stages: to whom it is, and back; the counterpart of `combine_copies` for halos. Collective. @throws as above.
/// @param ghosts layers of ghost values that take part, each time with what they hold; all that there are get the
/// result
/// @param how its `update` is not looked at
///     auto add_up = wherry::copy_combiner(force, space, wherry::add<double>());
template <class T, int N>
mover copy_combiner(x_array<T, N>& u, const domain<N>& space, const reduction& combine,
                    const std::type_identity_t<halo_widths<N>>& ghosts = 0, mover_options how = {}) {
  how.update.reset();
  const auto in = halo_motion(u.floor(), u.shape().on, ghosts, space).reversed();
  const auto out = halo_motion(u.floor(), u.shape().on, u.shape().ghost, space);
  return mover(mover_stages{{{in, u, u, {.update = combine}}}, {{out, u, u}}}, how);
}

}  // namespace wherry
