#include "box_owners.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "wherry/geometry/box_index.hpp"
#include "wherry/motion/box_parts.hpp"

#include "motion/even_cut.hpp"

namespace wherry::particles {
namespace {

template <int N> class grid_owners final : public box_owners {
 public:
  grid_owners(const process_grid& grid, const point<N>& cells) : grid_(grid), cells_(cells) {
    for (std::size_t d = 0; d < N && cells[d] <= most_listed; ++d)
      for (index_t x = 0; x < cells[d]; ++x) pieces_[d].push_back(static_cast<int>(even_piece(cells[d], pieces(d), x)));
  }

  int owner_of(const cell& at) const override {
    std::array<int, max_halo_dimensions> place{};
    for (std::size_t d = 0; d < N; ++d) {
      if (at[d] < 0 || at[d] >= cells_[d]) return -1;
      const auto x = static_cast<std::size_t>(at[d]);
      place[d] = x < pieces_[d].size() ? pieces_[d][x] : static_cast<int>(even_piece(cells_[d], pieces(d), at[d]));
    }
    return grid_.rank_at(place);
  }
  std::vector<cell_box> own() const override {
    const auto mine = owned_box<N>(grid_, cells_);
    return mine.empty() ? std::vector<cell_box>{} : std::vector<cell_box>{to_cell_box<N>(mine)};
  }
  void for_each_near(const cell_box& near, const near_visitor& visit) const override {
    walk one{near, visit, {}, {}, {}};
    along<0>(one);
  }

 private:
  struct walk {
    const cell_box& near;
    const near_visitor& visit;
    std::array<int, max_halo_dimensions> at;
    cell_box cells;
    cell image;
  };

  template <std::size_t D> void along(walk& one) const {
    if constexpr (D == static_cast<std::size_t>(N)) {
      one.visit(grid_.rank_at(one.at), one.cells, one.image);
    } else {
      const index_t count = cells_[D];
      const bool periodic = D < grid_.periodic().size() && grid_.periodic()[D];
      auto x = periodic ? one.near.lower[D] : std::max<index_t>(one.near.lower[D], 0);
      const auto end = periodic ? one.near.upper[D] : std::min<index_t>(one.near.upper[D], count);
      while (x < end) {
        const auto period = floor_divide(x, count);
        const auto piece = even_piece(count, pieces(D), x - period * count);
        one.at[D] = static_cast<int>(piece);
        one.cells.lower[D] = even_cut(count, pieces(D), piece);
        one.cells.upper[D] = even_cut(count, pieces(D), piece + 1);
        one.image[D] = period;
        along<D + 1>(one);
        x = period * count + one.cells.upper[D];
      }
    }
  }

  /// Divisions cost more than a look into a list of the pieces of all cells, if it is short.
  static constexpr index_t most_listed = 1 << 16;
  index_t pieces(std::size_t d) const { return d < grid_.extents().size() ? grid_.extents()[d] : 1; }

  process_grid grid_;
  point<N> cells_;
  std::array<std::vector<int>, N> pieces_;
};

template <int N> class plan_owners final : public box_owners {
 public:
  plan_owners(const floor_plan<N>& plan, const domain<N>& cells, int rank)
      : plan_(plan), space_(cells), index_(plan_.boxes()), rank_(rank) {}

  int owner_of(const cell& at) const override { return plan_.owner_of(to_point<N>(at)); }
  std::vector<cell_box> own() const override {
    std::vector<cell_box> mine;
    for (const auto& part : without_overlap(plan_, rank_)) {
      const auto cells = intersection(part.cells, space_.cells);
      if (!cells.empty()) mine.push_back(to_cell_box<N>(cells));
    }
    return mine;
  }
  void require_reach(const char* where, const cell& cells, int rank) const override {
    halo_widths<N> widths(0);
    for (std::size_t d = 0; d < N; ++d) widths.minus[d] = widths.plus[d] = cells[d];
    wherry::detail::require_knowledge(where, plan_.complete(), plan_.knowledge(), {widths, space_}, rank);
  }
  void for_each_near(const cell_box& near, const near_visitor& visit) const override {
    index_.for_each_touching(to_box<N>(near), space_, [&](int place, const point<N>& offset) {
      const auto at = static_cast<std::size_t>(place);
      const auto cells = intersection(plan_.boxes()[at], space_.cells);
      cell image{};
      for (std::size_t d = 0; d < N; ++d)
        if (offset[d] != 0) image[d] = offset[d] / space_.cells.extent(static_cast<int>(d));
      if (!cells.empty()) visit(plan_.owners()[at], to_cell_box<N>(cells), image);
    });
  }

 private:
  const floor_plan<N> plan_;  // the index refers to its boxes
  domain<N> space_;
  box_index<N> index_;
  int rank_;
};

}  // namespace

template <int N> std::unique_ptr<box_owners> owners_by_grid(const process_grid& grid, const point<N>& cells) {
  return std::make_unique<grid_owners<N>>(grid, cells);
}
template <int N>
std::unique_ptr<box_owners> owners_by_plan(const floor_plan<N>& plan, const domain<N>& cells, int rank) {
  return std::make_unique<plan_owners<N>>(plan, cells, rank);
}
template std::unique_ptr<box_owners> owners_by_grid<1>(const process_grid&, const point<1>&);
template std::unique_ptr<box_owners> owners_by_grid<2>(const process_grid&, const point<2>&);
template std::unique_ptr<box_owners> owners_by_grid<3>(const process_grid&, const point<3>&);
template std::unique_ptr<box_owners> owners_by_plan<1>(const floor_plan<1>&, const domain<1>&, int);
template std::unique_ptr<box_owners> owners_by_plan<2>(const floor_plan<2>&, const domain<2>&, int);
template std::unique_ptr<box_owners> owners_by_plan<3>(const floor_plan<3>&, const domain<3>&, int);

}  // namespace wherry::particles
