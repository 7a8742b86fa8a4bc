/// @file
/// The numerics on one block: a second-order Godunov scheme (slopes and upwind states at half a time step), and the
/// transfer between a block and the coarse cells under it. No communication.
#pragma once

#include "problem.hpp"

namespace amr {

/// Computes the fluxes through the faces of one dimension; face i lies between cells i-1 and i. Reads `ghost` cells
/// around them.
/// @param courant time step over cell width
void find_fluxes(const cells2& u, int dimension, const box2& faces, double courant, const cells2& flux);

/// Makes one time step of `cells` from the fluxes through all their faces.
void advance(const cells2& u, const box2& cells, double courant, const cells2& flux_x, const cells2& flux_y);

/// Interpolates fine cells from limited slopes of the coarse cells under them; the mean of the four fine cells of a
/// coarse cell is the coarse value. Reads one coarse cell around them.
void interpolate(const const_cells2& coarse, const cells2& fine, const box2& fine_cells);

}  // namespace amr
