#include "solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace cavity {
namespace {

using wherry::centring;
using wherry::index_t;
using widths = wherry::halo_widths<3>;

point unit(int d) {
  point one{};
  one[static_cast<std::size_t>(d)] = 1;
  return one;
}
point sum(point a, const point& b) {
  for (std::size_t d = 0; d < 3; ++d) a[d] += b[d];
  return a;
}
point difference(point a, const point& b) {
  for (std::size_t d = 0; d < 3; ++d) a[d] -= b[d];
  return a;
}

/// Makes one field for each dimension.
template <class Make> components for_each_dimension(Make&& make) { return {make(0), make(1), make(2)}; }

/// The result is infinite if one of the numbers is a NaN, so that the NaN is not lost among the ranks.
double larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  return std::max(a, b);
}

double over_ranks(const wherry::communicator& comm, double mine, MPI_Op how) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, how, comm.users_handle());
  return mine;
}

double largest_step(const point& cells) {
  double squares = 0;
  for (const index_t n : cells) squares += static_cast<double>(n * n);
  return 0.5 / std::sqrt(squares);
}

}  // namespace

solver::solver(const wherry::communicator& comm, const point& cells, const material& permittivity,
               const initial_field& electric, const std::string& transport)
    : grid_(comm, {.periodic = {false, false, false}}),
      cells_(cells),
      mine_(wherry::owned_box<3>(grid_, cells)),
      electric_(for_each_dimension(
          [&](int d) { return field(grid_.comm(), mine_.extents(), 0, {.centring = centring<3>::edges(d)}); })),
      magnetic_(for_each_dimension([&](int d) {
        return field(grid_.comm(), mine_.extents(), widths(difference({1, 1, 1}, unit(d)), {}),
                     {.centring = centring<3>::faces(d)});
      })),
      permittivity_(for_each_dimension(
          [&](int d) { return field(grid_.comm(), mine_.extents(), 0, {.centring = centring<3>::edges(d)}); })),
      share_electric_(grid_, {.carry = {.transport = transport}}, electric_[0], electric_[1], electric_[2]),
      fill_magnetic_(grid_, {.carry = {.transport = transport}}, magnetic_[0], magnetic_[1], magnetic_[2]),
      dt_(largest_step(cells)) {
  average(permittivity);
  for (int d = 0; d < 3; ++d) {
    auto& e = electric_[static_cast<std::size_t>(d)];
    for_each_point(own_edges(d), [&](const point& p) { e[p] = electric(d, sum(p, mine_.lower)); });
  }
  share_electric_();
  advance_magnetic(dt_ / 2);
}

/// An edge has the mean of the cells around it, which are on up to four ranks: each rank adds up its own cells.
void solver::average(const material& permittivity) {
  auto cells = for_each_dimension(
      [&](int d) { return field(grid_.comm(), mine_.extents(), 0, {.centring = centring<3>::edges(d)}); });
  wherry::for_each_point(wherry::box_of_extents<3>(mine_.extents()), [&](const point& cell) {
    const double here = permittivity(sum(cell, mine_.lower));
    for (int d = 0; d < 3; ++d)
      for (const auto& a : {point{}, unit((d + 1) % 3)})
        for (const auto& b : {point{}, unit((d + 2) % 3)}) {
          const auto edge = sum(cell, sum(a, b));
          permittivity_[static_cast<std::size_t>(d)][edge] += here;
          cells[static_cast<std::size_t>(d)][edge] += 1;
        }
  });
  wherry::halo_exchange add_up(grid_, {.combine_copies = std::plus<>{}}, permittivity_[0], permittivity_[1],
                               permittivity_[2], cells[0], cells[1], cells[2]);
  add_up();
  for (std::size_t d = 0; d < 3 && !mine_.empty(); ++d)
    for_each_point(permittivity_[d].core(), [&](const point& edge) { permittivity_[d][edge] /= cells[d][edge]; });
}

wherry::box<3> solver::own_edges(int d) const {
  auto own = wherry::box_of_extents<3>(mine_.extents());
  for (const int across : {(d + 1) % 3, (d + 2) % 3}) {
    const auto a = static_cast<std::size_t>(across);
    if (mine_.lower[a] == 0) own.lower[a] = 1;  // the last plane of the box is a wall, too, which no rank computes
  }
  return own;
}

void solver::step() {
  advance_electric();
  advance_magnetic(dt_);
  ++steps_;
}

void solver::advance_magnetic(double dt) {
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    auto& h = magnetic_[static_cast<std::size_t>(d)];
    const auto &ea = electric_[static_cast<std::size_t>(a)], &eb = electric_[static_cast<std::size_t>(b)];
    const double over_a = dt * static_cast<double>(cells_[static_cast<std::size_t>(a)]),
                 over_b = dt * static_cast<double>(cells_[static_cast<std::size_t>(b)]);
    const auto up_a = unit(a), up_b = unit(b);
    if (mine_.empty()) continue;
    for_each_point(h.core(), [&](const point& p) {
      h[p] += over_b * (ea[sum(p, up_b)] - ea[p]) - over_a * (eb[sum(p, up_a)] - eb[p]);
    });
  }
  fill_magnetic_();
}

void solver::advance_electric() {
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    auto& e = electric_[static_cast<std::size_t>(d)];
    const auto& permittivity = permittivity_[static_cast<std::size_t>(d)];
    const auto &ha = magnetic_[static_cast<std::size_t>(a)], &hb = magnetic_[static_cast<std::size_t>(b)];
    const double over_a = dt_ * static_cast<double>(cells_[static_cast<std::size_t>(a)]),
                 over_b = dt_ * static_cast<double>(cells_[static_cast<std::size_t>(b)]);
    const auto up_a = unit(a), up_b = unit(b);
    for_each_point(own_edges(d), [&](const point& p) {
      e[p] +=
          (over_a * (hb[p] - hb[difference(p, up_a)]) - over_b * (ha[p] - ha[difference(p, up_b)])) / permittivity[p];
    });
  }
  share_electric_();
}

double solver::error(const initial_field& exact) const {
  double largest = 0;
  for (int d = 0; d < 3; ++d) {
    const auto& e = electric_[static_cast<std::size_t>(d)];
    for_each_point(own_edges(d),
                   [&](const point& p) { largest = larger(largest, std::abs(e[p] - exact(d, sum(p, mine_.lower)))); });
  }
  return over_ranks(grid_.comm(), largest, MPI_MAX);
}

/// A face on a plane between ranks counts on the rank that has the cell above it.
double solver::energy_of_step() {
  advance_electric();
  double energy = 0;
  components before = for_each_dimension([&](int d) {
    return field(grid_.comm(), mine_.extents(), magnetic_[static_cast<std::size_t>(d)].widths(),
                 {.centring = centring<3>::faces(d)});
  });
  for (std::size_t d = 0; d < 3; ++d) {
    for_each_point(own_edges(static_cast<int>(d)),
                   [&](const point& p) { energy += permittivity_[d][p] * electric_[d][p] * electric_[d][p]; });
    for_each_point(before[d].core(), [&](const point& p) { before[d][p] = magnetic_[d][p]; });
  }
  advance_magnetic(dt_);
  ++steps_;
  for (std::size_t d = 0; d < 3; ++d)
    for_each_point(wherry::box_of_extents<3>(mine_.extents()),
                   [&](const point& p) { energy += before[d][p] * magnetic_[d][p]; });
  return over_ranks(grid_.comm(), energy / static_cast<double>(cells_[0] * cells_[1] * cells_[2]), MPI_SUM);
}

double solver::largest_charge() {
  // The edges below a corner carry charge into it, too.
  components flux = for_each_dimension([&](int d) {
    return field(grid_.comm(), mine_.extents(), widths(unit(d), {}), {.centring = centring<3>::edges(d)});
  });
  for (int d = 0; d < 3; ++d) {
    const auto place = static_cast<std::size_t>(d);
    for_each_point(own_edges(d),
                   [&](const point& p) { flux[place][p] = permittivity_[place][p] * electric_[place][p]; });
  }
  wherry::halo_exchange fill(grid_, flux[0], flux[1], flux[2]);
  fill();
  auto corners = wherry::box_of_extents<3>(mine_.extents());
  for (std::size_t d = 0; d < 3; ++d)
    if (mine_.lower[d] == 0) corners.lower[d] = 1;
  field charge(grid_.comm(), mine_.extents(), 0, {.centring = centring<3>::nodes()});
  for_each_point(corners, [&](const point& p) {
    for (int d = 0; d < 3; ++d) {
      const auto& f = flux[static_cast<std::size_t>(d)];
      charge[p] += static_cast<double>(cells_[static_cast<std::size_t>(d)]) * (f[p] - f[difference(p, unit(d))]);
    }
  });
  wherry::halo_exchange share(grid_, charge);
  share();  // so that each rank has the charge of all corners of its cells
  double largest = 0;
  for_each_point(mine_.empty() ? wherry::box<3>{} : charge.core(),
                 [&](const point& p) { largest = larger(largest, std::abs(charge[p])); });
  return over_ranks(grid_.comm(), largest, MPI_MAX);
}

std::uint64_t solver::fingerprint() const {
  std::uint64_t all = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (const auto* const part : {&electric_[d], &magnetic_[d]})
      for_each_point(wherry::box_of_extents<3>(mine_.extents()), [&](const point& p) {
        wherry::shape_hash here;
        for (std::size_t k = 0; k < 3; ++k) here.add(p[k] + mine_.lower[k]);
        all += here.add(d).add(part == &electric_[d]).add(std::bit_cast<std::uint64_t>((*part)[p])).value();
      });
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_SUM, grid_.comm().users_handle());
  return all;
}

}  // namespace cavity
