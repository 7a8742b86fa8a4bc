/// @file
/// The output of a run: a file for ParaView, and a picture.
#pragma once

#include <string>

#include "solver.hpp"

namespace lattice_boltzmann {

/// Writes density and velocity to a legacy VTK file (binary, structured points in the middle of the cells), by all
/// ranks together. Collective. @throws std::runtime_error on all ranks alike
void write_vtk(const std::string& file, solver& one);

/// Writes the speed in the middle layer of axis z as a PNG picture, in which the largest speed is brightest.
/// Collective.
/// @throws std::runtime_error on rank 0 if the file cannot be written
void write_picture(const std::string& file, solver& one);

}  // namespace lattice_boltzmann
