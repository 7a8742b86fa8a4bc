/// @file
/// Everything for particles: it includes all headers of this module for users.
#pragma once

#include "wherry/particles/ghost_particles.hpp"
#include "wherry/particles/particle_arrays.hpp"
#include "wherry/particles/particle_exchange.hpp"
#include "wherry/particles/particle_space.hpp"
