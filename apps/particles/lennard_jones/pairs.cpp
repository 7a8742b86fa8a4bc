#include "pairs.hpp"

#include <algorithm>
#include <array>

#include "potential.hpp"

namespace liquid {
namespace {

/// Particles by the cells of a grid around them, whose cells are at least as wide as the reach.
class cell_grid {
 public:
  cell_grid(const particles& p, double reach) : coordinates_{&p.x, &p.y, &p.z}, next_(p.x.size()) {
    for (std::size_t d = 0; d < 3; ++d) {
      const auto& x = *coordinates_[d];
      const auto [least, most] = std::minmax_element(x.begin(), x.end());
      lower_[d] = *least;
      counts_[d] = std::max(1L, static_cast<long>((*most - *least) / reach));
      scale_[d] = *most > *least ? static_cast<double>(counts_[d]) / (*most - *least) : 0;
    }
    first_.assign(static_cast<std::size_t>(counts_[0] * counts_[1] * counts_[2]), none);
    for (std::size_t i = next_.size(); i-- > 0;) {
      auto& first = first_[index_of(cell_of(i))];
      next_[i] = first;
      first = i;
    }
  }

  /// Visits the particles in the cell of particle i and in those around it.
  template <class Visit> void for_each_around(std::size_t i, Visit&& visit) const {
    const auto at = cell_of(i);
    std::array<long, 3> cell;
    for (cell[2] = std::max(at[2] - 1, 0L); cell[2] <= std::min(at[2] + 1, counts_[2] - 1); ++cell[2])
      for (cell[1] = std::max(at[1] - 1, 0L); cell[1] <= std::min(at[1] + 1, counts_[1] - 1); ++cell[1])
        for (cell[0] = std::max(at[0] - 1, 0L); cell[0] <= std::min(at[0] + 1, counts_[0] - 1); ++cell[0])
          for (auto j = first_[index_of(cell)]; j != none; j = next_[j]) visit(j);
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  std::array<long, 3> cell_of(std::size_t i) const {
    std::array<long, 3> cell;
    for (std::size_t d = 0; d < 3; ++d)
      cell[d] = std::min(static_cast<long>(((*coordinates_[d])[i] - lower_[d]) * scale_[d]), counts_[d] - 1);
    return cell;
  }
  std::size_t index_of(const std::array<long, 3>& cell) const {
    return static_cast<std::size_t>((cell[2] * counts_[1] + cell[1]) * counts_[0] + cell[0]);
  }

  std::array<const std::vector<double>*, 3> coordinates_;
  std::array<double, 3> lower_{}, scale_{};
  std::array<long, 3> counts_{};
  std::vector<std::size_t> first_, next_;
};

/// A particle and a ghost are a pair on two ranks, or twice on one. True for one of the two, by the particles' ids.
bool is_mine(int id, int id_of_ghost) { return (id < id_of_ghost) == ((id + id_of_ghost) % 2 == 0); }

double square_between(const particles& p, std::size_t i, std::size_t j) {
  const double dx = p.x[i] - p.x[j], dy = p.y[i] - p.y[j], dz = p.z[i] - p.z[j];
  return dx * dx + dy * dy + dz * dz;
}

}  // namespace

void pair_list::find(const particles& p, std::size_t owned, double reach) {
  ends_.clear();
  others_.clear();
  if (owned == 0) return;
  const cell_grid cells(p, reach);
  for (std::size_t i = 0; i < owned; ++i) {
    cells.for_each_around(i, [&](std::size_t j) {
      const bool wanted = j < owned ? i < j : is_mine(p.id[i], p.id[j]);
      if (wanted && square_between(p, i, j) <= reach * reach) others_.push_back(j);
    });
    ends_.push_back(others_.size());
  }
}

template <class Visit> void pair_list::for_each_near(const particles& p, Visit&& visit) const {
  std::size_t k = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i)
    for (; k < ends_[i]; ++k)
      if (const double square = square_between(p, i, others_[k]); square < cutoff * cutoff)
        visit(i, others_[k], square);
}

double pair_list::forces(particles& p) const {
  for (auto* force : {&p.fx, &p.fy, &p.fz}) force->assign(p.x.size(), 0);
  double energy = 0;
  for_each_near(p, [&](std::size_t i, std::size_t j, double square) {
    const auto pair = shifted_force(square);
    const double fx = pair.force_by_distance * (p.x[i] - p.x[j]), fy = pair.force_by_distance * (p.y[i] - p.y[j]),
                 fz = pair.force_by_distance * (p.z[i] - p.z[j]);
    p.fx[i] += fx, p.fy[i] += fy, p.fz[i] += fz;
    p.fx[j] -= fx, p.fy[j] -= fy, p.fz[j] -= fz;
    energy += pair.energy;
  });
  return energy;
}

double pair_list::cut_energy(const particles& p) const {
  double energy = 0;
  for_each_near(p, [&](std::size_t, std::size_t, double square) { energy += liquid::cut_energy(square); });
  return energy;
}

}  // namespace liquid
