#include "mesh.hpp"

#include <functional>

namespace charges {
namespace {

constexpr auto nodes = wherry::centring<2>::nodes();

wherry::particle_space<2> plane(int cells) {
  return {.lower = {0, 0}, .upper = {static_cast<double>(cells), static_cast<double>(cells)}};
}

}  // namespace

mesh::mesh(const wherry::communicator& comm, int cells, int cells_of_a_box)
    : space_(wherry::domain<2>::torus(wherry::box_of_extents<2>({cells, cells}))),
      density_(comm, decompose(space_.cells, comm.size(), {.largest = {cells_of_a_box, cells_of_a_box}}),
               {.centring = nodes}),
      migrate_(comm, density_.plan(), space_, plane(cells)),
      add_up_(wherry::ghost_filler(density_, space_, {.combine_copies = std::plus<>{}})) {}

std::size_t mesh::move(particles& p) {
  return migrate_(wherry::by_position(p.x, p.y), p.vx, p.vy, p.charge, p.id).left;
}

void mesh::deposit(const particles& p) {
  for (const auto& [number, values, grid] : density_.blocks())
    for_each_point(values, [&](const auto& node) { grid[node] = 0; });
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const auto [box, column, row, right, up] = place_of(p.x[i], p.y[i]);
    const auto& grid = density_[box];
    grid(column, row) += p.charge[i] * (1 - right) * (1 - up);
    grid(column + 1, row) += p.charge[i] * right * (1 - up);
    grid(column, row + 1) += p.charge[i] * (1 - right) * up;
    grid(column + 1, row + 1) += p.charge[i] * right * up;
  }
  add_up_();
}

double mesh::at(double x, double y) const {
  const auto [box, column, row, right, up] = place_of(x, y);
  const auto grid = density_[box];
  return (1 - up) * ((1 - right) * grid(column, row) + right * grid(column + 1, row)) +
         up * ((1 - right) * grid(column, row + 1) + right * grid(column + 1, row + 1));
}

mesh::place mesh::place_of(double x, double y) const {
  const auto cell = migrate_.cell_of({x, y});
  return {boxes().box_of(cell), cell[0], cell[1], x - static_cast<double>(cell[0]), y - static_cast<double>(cell[1])};
}

double mesh::sum(double (*of)(double charge)) const {
  double all = 0;
  for (const auto& [number, values] : owned_values(boxes(), nodes, space_, density_.comm().rank()))
    for_each_point(values, [&, n = number](const auto& node) { all += of(density_[n][node]); });
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, density_.comm().users_handle());
  return all;
}

std::vector<double> mesh::gather() const {
  wherry::floor_plan<2> whole;
  whole.add(space_.cells, 0);  // the node at the lower corner of each cell
  array all(density_.comm(), whole);
  wherry::mover bring(redistribution(boxes(), nodes, whole, space_), density_, all);
  bring();
  std::vector<double> result;
  for (const auto& [number, values, grid] : all.blocks())
    for_each_point(values, [&](const auto& node) { result.push_back(grid[node]); });
  return result;
}

}  // namespace charges
