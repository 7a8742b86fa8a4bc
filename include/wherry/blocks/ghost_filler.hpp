/// @file
/// The commonest mover: it fills the ghost cells of one x-array.
#pragma once

#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"

namespace wherry {

/// A mover that fills all ghost cells of `u` from the boxes that hold them, and from periodic images. Collective; binds
/// once, moves any number of times.
///     auto fill_ghosts = wherry::ghost_filler(u, space);
///     fill_ghosts();  // or start() … wait()
/// @param stencil which of them
/// @throws as the constructor of `mover`.
template <class T, int N>
mover ghost_filler(x_array<T, N>& u, const domain<N>& space, const mover_options& how = {},
                   const stencil_shape& stencil = stencil_shape::all()) {
  return mover(halo_motion(u.floor(), u.shape().ghost, space, stencil), how, u, u);
}

}  // namespace wherry
