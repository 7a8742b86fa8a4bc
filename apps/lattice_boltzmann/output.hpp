/// @file
/// What a run leaves behind: a file for ParaView, a picture.
#pragma once

#include <string>

#include "solver.hpp"

namespace lattice_boltzmann {

/// Density and velocity as a legacy VTK file (binary, structured points in the middle of the cells), which all ranks
/// write together. Collective. @throws std::runtime_error on all ranks alike
void write_vtk(const std::string& file, solver& one);

/// The speed in the middle layer of axis z as a PNG picture, the largest one brightest. Collective.
/// @throws std::runtime_error on rank 0 when it cannot be written
void write_picture(const std::string& file, solver& one);

}  // namespace lattice_boltzmann
