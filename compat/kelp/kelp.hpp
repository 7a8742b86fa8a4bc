/// @file
/// The names of KeLP and its Data Mover over Wherry: `#include "kelp/kelp.hpp"`, namespace kelp. A program that follows
/// the KeLP paper compiles with this header alone; the rest of Wherry may be used beside it.
///
///     kelp::KelpConfig config(argc, argv);
///     FloorPlan3 F = BuildFloorPlan();
///     XArray3<Grid3<double>> U(F);
///     MotionPlan3 M = BuildMotionPlan(F);
///     Mover3<Grid3<double>, double> Mvr(U, U, M);
///     while (!converged) {
///       Mvr.start();
///       Mvr.wait();
///       for (nodeIterator ni(F); ni; ++ni) relax(U(ni()));
///     }
///
/// As in the paper, the bounds of regions are inclusive, grids are dense Fortran arrays with regions that include their
/// ghost cells, and FloorPlans and MotionPlans are the same on all processes. "Collective" means over all processes of
/// the KelpConfig in use. Errors are exceptions of type `wherry::error`.
#pragma once

#include "kelp/disk_mover.hpp"
#include "kelp/floor_plan.hpp"
#include "kelp/grid.hpp"
#include "kelp/iterators.hpp"
#include "kelp/motion_plan.hpp"
#include "kelp/mover.hpp"
#include "kelp/point.hpp"
#include "kelp/region.hpp"
#include "kelp/runtime.hpp"
#include "kelp/x_array.hpp"
