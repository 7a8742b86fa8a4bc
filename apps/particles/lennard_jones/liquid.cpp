#include "liquid.hpp"

#include <algorithm>
#include <cmath>

namespace liquid {
namespace {

wherry::particle_exchange<3> exchange_in(const wherry::communicator& comm, double side) {
  const wherry::process_grid grid(comm, {.periodic = {true, true, true}});
  return {grid, {.lower = {0, 0, 0}, .upper = {side, side, side}}};
}

}  // namespace

simulation::simulation(const wherry::communicator& comm, const box_of_liquid& box, double dt)
    : comm_(comm), dt_(dt), migrate_(exchange_in(comm, box.side())), ghosts_(migrate_, cutoff + skin) {
  if (comm.rank() == 0) p_ = crystal(box);
  move();
  compute_forces();
}

void simulation::step() {
  kick();
  drift();
  if (++steps_ % steps_between_moves == 0) {
    note_distances();
    move();
  } else {
    ghosts_.fill(wherry::by_position(p_.x, p_.y, p_.z));
  }
  compute_forces();
  kick();
}

void simulation::move() {
  ghosts_.drop(p_.x, p_.y, p_.z, p_.id);
  migrate_(wherry::by_position(p_.x, p_.y, p_.z), p_.vx, p_.vy, p_.vz, p_.id);
  ghosts_.plan(wherry::by_position(p_.x, p_.y, p_.z), p_.id);
  pairs_.find(p_, ghosts_.owned(), cutoff + skin);
  x_then_ = p_.x, y_then_ = p_.y, z_then_ = p_.z;
}

void simulation::compute_forces() {
  potential_ = pairs_.forces(p_);
  ghosts_.sum_back(p_.fx, p_.fy, p_.fz);
}

void simulation::kick() {
  for (std::size_t i = 0; i < ghosts_.owned(); ++i) {
    p_.vx[i] += dt_ / 2 * p_.fx[i];
    p_.vy[i] += dt_ / 2 * p_.fy[i];
    p_.vz[i] += dt_ / 2 * p_.fz[i];
  }
}

void simulation::drift() {
  for (std::size_t i = 0; i < ghosts_.owned(); ++i) {
    p_.x[i] += dt_ * p_.vx[i];
    p_.y[i] += dt_ * p_.vy[i];
    p_.z[i] += dt_ * p_.vz[i];
  }
}

particles simulation::gather(std::vector<int>& owners) const {
  particles all = p_;
  for (auto* coordinates : {&all.x, &all.y, &all.z}) coordinates->resize(ghosts_.owned());
  all.id.resize(ghosts_.owned());
  owners.assign(ghosts_.owned(), comm_.rank());
  wherry::particle_exchange<3> to_rank_0(comm_);
  to_rank_0(wherry::by_owner([](std::size_t) { return 0; }), all.x, all.y, all.z, all.vx, all.vy, all.vz, all.id,
            owners);
  return all;
}

void simulation::note_distances() {
  for (std::size_t i = 0; i < ghosts_.owned(); ++i)
    farthest_ = std::max(farthest_, std::hypot(p_.x[i] - x_then_[i], p_.y[i] - y_then_[i], p_.z[i] - z_then_[i]));
}

sums simulation::measure() const {
  double mine[] = {0, potential_, static_cast<double>(ghosts_.owned()), 0, 0, 0};
  for (std::size_t i = 0; i < ghosts_.owned(); ++i) {
    mine[0] += (p_.vx[i] * p_.vx[i] + p_.vy[i] * p_.vy[i] + p_.vz[i] * p_.vz[i]) / 2;
    mine[3] += p_.vx[i];
    mine[4] += p_.vy[i];
    mine[5] += p_.vz[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, mine, 6, MPI_DOUBLE, MPI_SUM, comm_.users_handle());
  return {mine[0], mine[1], mine[2], {mine[3], mine[4], mine[5]}};
}

double simulation::cut_energy() const {
  double energy = pairs_.cut_energy(p_);
  MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, comm_.users_handle());
  return energy;
}

}  // namespace liquid
