#include "neighborhood.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "wherry/core/error.hpp"

#include "motion/partial_floor_plan.hpp"

namespace wherry {
namespace {

template <int N> class explorer {
 public:
  explorer(const regular_floor_plan& cells, const std::vector<int>& subdomains, const field_reach<N>& reach)
      : cells_(cells), subdomains_(subdomains), reach_(reach) {}

  floor_plan<N> explore() {
    for (const int mine : subdomains_) {
      const auto here = cells_.coordinates(mine);
      if (cells_.empty(here)) {
        know(here);
        continue;
      }
      const auto near = pieces_around(here);
      box<N> lists;
      for (std::size_t a = 0; a < N; ++a) lists.upper[a] = std::ssize(near[a]);
      known_.reserve(known_.size() + static_cast<std::size_t>(lists.size()));
      for_each_point(lists, [&](const point<N>& at) {
        subdomain_coordinates there{};
        for (std::size_t a = 0; a < N; ++a) there[a] = near[a][static_cast<std::size_t>(at[a])];
        know(there);
      });
    }
    return partial_floor_plan<N>(cells_.subdomains(), std::move(known_));
  }

 private:
  struct known_subdomain {
    int number, owner;
    box<N> cells;
  };
  using pieces = std::vector<int>;

  std::array<pieces, static_cast<std::size_t>(N)> pieces_around(const subdomain_coordinates& here) const {
    std::array<pieces, static_cast<std::size_t>(N)> result;
    for (std::size_t a = 0; a < N; ++a) {
      // A piece fills the halos of those from which its own halo on the other side is filled.
      const index_t reach = std::max(reach_.widths.minus[a], reach_.widths.plus[a]);
      auto& along = result[a] = {here[a]};
      for (const int direction : {-1, 1}) append_pieces(static_cast<int>(a), direction, reach, along);
    }
    return result;
  }

  /// Appends the pieces in one direction from the first piece of the list that have cells within its reach: at least
  /// the next one, and none that the list has already from the other direction, around a periodic axis.
  void append_pieces(int axis, int direction, index_t reach, pieces& along) const {
    const int first = along.front(), farthest = along.back();
    index_t distance = 0;  // the number of cells in between
    int piece = first;
    do {
      piece = cells_.neighbor(axis, piece, direction);
      if (piece < 0 || piece == first || piece == farthest) return;
      along.push_back(piece);
      distance += cells_.size(axis, piece);
    } while (distance < reach);
  }

  void know(const subdomain_coordinates& at) {
    const int number = cells_.number(at), owner = cells_.owner_at(number, at);
    if (owner == reach_.rank && !std::binary_search(subdomains_.begin(), subdomains_.end(), number))
      throw error(
          error_kind::argument, "halo_exchange",
          detail::text("field ", reach_.field, ", subdomain ", number, " belongs to this rank but was not given to it"),
          reach_.rank);
    known_.push_back({number, owner, cells_.box_at<N>(at)});
  }

  const regular_floor_plan& cells_;
  const std::vector<int>& subdomains_;
  const field_reach<N>& reach_;
  std::vector<known_subdomain> known_;  // may contain a subdomain several times
};

}  // namespace

template <int N>
floor_plan<N> neighborhood(const regular_floor_plan& cells, const std::vector<int>& subdomains,
                           const field_reach<N>& reach) {
  return explorer<N>(cells, subdomains, reach).explore();
}

template <int N> domain<N> detail::space_of(const regular_floor_plan& cells) {
  domain<N> space;
  for (int a = 0; a < N; ++a) {
    space.cells.upper[static_cast<std::size_t>(a)] = cells.cells(a);
    space.periodic[static_cast<std::size_t>(a)] = cells.periodic(a);
  }
  return space;
}

#define WHERRY_NEIGHBORHOOD(N)                                                                                    \
  template floor_plan<N> neighborhood(const regular_floor_plan&, const std::vector<int>&, const field_reach<N>&); \
  template domain<N> detail::space_of(const regular_floor_plan&);
WHERRY_NEIGHBORHOOD(1)
WHERRY_NEIGHBORHOOD(2)
WHERRY_NEIGHBORHOOD(3)
WHERRY_NEIGHBORHOOD(4)
#undef WHERRY_NEIGHBORHOOD

}  // namespace wherry
