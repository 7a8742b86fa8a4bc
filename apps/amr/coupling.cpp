#include "coupling.hpp"

#include "scheme.hpp"

namespace amr {
namespace {

constexpr point2 by{ratio, ratio};
const wherry::level_options at_the_rim{.reach = 0, .only_rim = true};

}  // namespace

coupling::coupling(level& coarse, level& fine)
    : cells_(coarse.u, fine.u, coarse.space, by),
      flow_x_(coarse.flux[0], fine.flux[0], coarse.space, by, at_the_rim),
      flow_y_(coarse.flux[1], fine.flux[1], coarse.space, by, at_the_rim) {}

void coupling::fill_ghosts() { cells_.fill_ghosts(interpolate); }

void coupling::fill_all() { cells_.fill_all(interpolate); }

}  // namespace amr
