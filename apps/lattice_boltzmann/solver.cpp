#include "solver.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace lattice_boltzmann {
namespace {

/// Calls `visit(x, y, z)` for all cells.
template <class Visit> void for_each_cell(const range3& cells, Visit visit) {
  for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
    for (long y = cells.lower[1]; y < cells.upper[1]; ++y)
      for (long x = cells.lower[0]; x < cells.upper[0]; ++x) visit(x, y, z);
}

/// The population of a fluid in equilibrium.
double equilibrium(const model& lattice, int q, const moments& fluid) {
  const int* c = lattice.velocity[q];
  double c_u = 0, u_u = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    c_u += c[d] * fluid.velocity[d];
    u_u += fluid.velocity[d] * fluid.velocity[d];
  }
  return lattice.weight[q] * fluid.density * (1 + 3 * c_u + 4.5 * c_u * c_u - 1.5 * u_u);
}

/// A pseudo-random word that differs for every place and value. The words of all populations are added up, so that the
/// order does not matter.
std::uint64_t scrambled(std::uint64_t place, double value) {
  std::uint64_t word = std::bit_cast<std::uint64_t>(value) ^ (place * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019);
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

}  // namespace

std::shared_ptr<population_arrays> make_arrays(const subdomain& mine, const model& lattice, memory_layout order) {
  return std::make_shared<population_arrays>(
      population_arrays{{make_field(mine, lattice, order), make_field(mine, lattice, order)}});
}

solver::solver(const subdomain& mine, const model& lattice, const flow& what, const halo_version& version,
               const solver_options& options, std::shared_ptr<population_arrays> arrays)
    : mine_(mine),
      lattice_(lattice),
      flow_(what),
      options_(options),
      arrays_(std::move(arrays)),
      halo_(version.make({mine_, lattice_, options.kind, arrays_->fields})),
      inner_(mine.cells()) {
  for (std::size_t d = 0; d < 3; ++d) {
    sweep_.extent[d] = mine.extent[d];
    sweep_.wraps[d] = mine.periodic[d] && !mine.cut[d];
  }
  sweep_.wall[0] = what.walls && mine.lower[1] == 0;
  sweep_.wall[1] = what.walls && mine.lower[1] + mine.extent[1] == mine.all[1];
  sweep_.omega = 1 / what.relaxation;
  sweep_.force = what.force();
  // The layers that need the halo are cut off one by one; the middle is left.
  for (int d = 2; d >= 0; --d) {
    if (!mine.cut[static_cast<std::size_t>(d)]) continue;
    auto& below = shell_.emplace_back(inner_);
    below.upper[d] = ++inner_.lower[d];
    if (inner_.upper[d] <= inner_.lower[d]) continue;  // a single layer
    auto& above = shell_.emplace_back(inner_);
    above.lower[d] = --inner_.upper[d];
  }
  reset();
}

void solver::reset() {
  now_ = 0;
  steps_ = 0;
  const auto f = array(now_);
  for_each_cell(mine_.cells(), [&](long x, long y, long z) {
    const auto fluid = flow_.at_first({mine_.lower[0] + x, mine_.lower[1] + y, mine_.lower[2] + z});
    for (int q = 0; q < lattice_.populations; ++q) *f.at(q, x, y, z) = equilibrium(lattice_, q, fluid);
  });
}

void solver::step() {
  sweep_.from = array(now_);
  sweep_.into = array(1 - now_);
  const auto& kernel = *lattice_.kernel;
  const range3 cells = mine_.cells();
  halo_->start(now_);
  if (options_.how == stepping::overlap) collide_([&] { kernel.pull_and_collide(sweep_, inner_); });
  halo_->wait(now_);
  switch (options_.how) {
    case stepping::fused:
      collide_([&] { kernel.pull_and_collide(sweep_, cells); });
      break;
    case stepping::split:
      propagate_([&] { kernel.pull(sweep_, cells); });
      collide_([&] { kernel.collide(sweep_, cells); });
      break;
    case stepping::overlap:
      collide_([&] {
        for (const auto& layer : shell_) kernel.pull_and_collide(sweep_, layer);
      });
  }
  now_ = 1 - now_;
  ++steps_;
}

moments solver::at(long x, long y, long z) {
  const auto f = array(now_);
  moments fluid{};
  for (int q = 0; q < lattice_.populations; ++q) {
    const double value = *f.at(q, x, y, z);
    fluid.density += value;
    for (std::size_t d = 0; d < 3; ++d) fluid.velocity[d] += lattice_.velocity[q][d] * value;
  }
  // After the collision, the whole force of the step has acted; the velocity is that of the middle of the step.
  if (steps_ > 0) fluid.velocity[0] -= 0.5 * sweep_.force;
  for (auto& u : fluid.velocity) u /= fluid.density;
  return fluid;
}

state solver::look() {
  state seen;
  const auto f = array(now_);
  double squares = 0;
  for_each_cell(mine_.cells(), [&](long x, long y, long z) {
    const extents3 cell{mine_.lower[0] + x, mine_.lower[1] + y, mine_.lower[2] + z};
    const auto fluid = at(x, y, z);
    seen.mass += fluid.density;
    for (std::size_t d = 0; d < 3; ++d) seen.momentum[d] += fluid.density * fluid.velocity[d];
    const auto wanted = flow_.solution(cell, steps_);
    for (std::size_t d = 0; d < 3; ++d) squares += std::pow(fluid.velocity[d] - wanted.velocity[d], 2);
    const auto number = static_cast<std::uint64_t>((cell[2] * mine_.all[1] + cell[1]) * mine_.all[0] + cell[0]);
    for (int q = 0; q < lattice_.populations; ++q)
      seen.fingerprint += scrambled(
          number * static_cast<std::uint64_t>(lattice_.populations) + static_cast<std::uint64_t>(q), *f.at(q, x, y, z));
  });
  double sums[] = {seen.mass, seen.momentum[0], seen.momentum[1], seen.momentum[2], squares};
  MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_DOUBLE, MPI_SUM, mine_.comm);
  MPI_Allreduce(MPI_IN_PLACE, &seen.fingerprint, 1, MPI_UINT64_T, MPI_SUM, mine_.comm);
  seen.mass = sums[0];
  seen.momentum = {sums[1], sums[2], sums[3]};
  const double cells = static_cast<double>(mine_.all[0]) * static_cast<double>(mine_.all[1] * mine_.all[2]);
  seen.error = std::sqrt(sums[4] / cells) / flow_.speed;
  return seen;
}

phases solver::spent() const {
  return {collide_.seconds(), propagate_.seconds(), halo_->pack.seconds(), halo_->waiting.seconds(),
          halo_->unpack.seconds()};
}

}  // namespace lattice_boltzmann
