/// @file
/// Builders of motions between index domains: halo updates of shared points, such as the nodes of a finite-element
/// mesh, and redistribution.
///
///     auto halo = wherry::halo_motion(wherry::without_overlap(touched), touched);
///     wherry::mover update(halo, u, u);  // the owner of a node sends its value to the other parts that touch the node
///
/// Builders are local values and make no MPI call. Their cost is nearly linear in the boxes of the covers and in the
/// pairs that touch.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "wherry/motion/index_floor_plan.hpp"
#include "wherry/motion/index_motion_plan.hpp"
#include "wherry/motion/motions.hpp"

namespace wherry {

namespace detail {

/// The covers of several parts in one list.
template <int N> struct part_covers {
  std::vector<box<N>> boxes;
  std::vector<int> part;  ///< for each box, the place of the part that it belongs to
};

/// The pairs (i, j) for which a box of part i of `from` intersects a box of part j of `to`, each once, ascending.
/// Compiled for 1 to 6 dimensions.
template <int N> std::vector<std::pair<int, int>> touching_parts(const part_covers<N>& from, const part_covers<N>& to);

}  // namespace detail

/// A builder of motions between index domains.
template <index_domain Domain> using index_motions = plans::motion_builder<index_motion_plan<Domain>>;

/// Moves the value at every point that a part of `from` has in common with a part of `to`.
/// @throws error(argument), when a mover asks for the entries, if two partial plans were not resolved together.
template <index_domain Domain>
index_motions<Domain> redistribution(const index_floor_plan<Domain>& from, const index_floor_plan<Domain>& to);

/// Moves the values of shared points from their owners to all other parts that touch them: a halo update of a
/// finite-element mesh (KeLP, section 5), for arrays over `touched`. Its `reversed()` with `update = std::plus<>{}`
/// adds the parts' contributions up at the owner.
/// @param owned the points that each part owns: a subset of its points in `touched`, each point in one part only
/// @param touched the points that each part needs, such as all nodes of its elements
/// @throws error(argument), when a mover asks for the entries, if two partial plans were not resolved together.
template <index_domain Domain>
index_motions<Domain> halo_motion(const index_floor_plan<Domain>& owned, const index_floor_plan<Domain>& touched);

/// The parts without their overlap: a point that several parts have stays in the one with the lowest number. With a
/// `rank`, the result is a partial plan of that rank's parts only, and `touched` need only know these and the parts
/// that touch them.
/// @throws error(argument) for a rank whose partial plan was not resolved.
template <divisible_domain Domain>
index_floor_plan<Domain> without_overlap(const index_floor_plan<Domain>& touched, int rank = plans::every_rank);

namespace detail {

template <index_domain Domain> auto covers_of(std::span<const Domain> parts) {
  part_covers<cover_dimensions<Domain>> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto boxes = parts[i].cover();
    result.boxes.insert(result.boxes.end(), boxes.begin(), boxes.end());
    result.part.resize(result.boxes.size(), static_cast<int>(i));
  }
  return result;
}

/// Moves the common points of each pair of parts for which `wanted(from, to)` is true.
template <index_domain Domain, class Wanted>
index_motions<Domain> common_points(const index_floor_plan<Domain>& from, const index_floor_plan<Domain>& to,
                                    Wanted wanted) {
  index_motions<Domain> result([=](int rank, const plans::motion_visitor<index_motion<Domain>>& visit) {
    if (rank != plans::every_rank && from.shares_table(to))
      require_knowledge("redistribution", from.complete(), from.knowledge(), {}, rank);
    else if (rank != plans::every_rank)
      require_pair("redistribution", from.complete() || to.complete(), from.knowledge(), to.knowledge(), {}, rank);
    for (const auto& [i, j] : touching_parts(covers_of(from.parts()), covers_of(to.parts()))) {
      const auto source = static_cast<std::size_t>(i), destination = static_cast<std::size_t>(j);
      if (rank != plans::every_rank && from.owners()[source] != rank && to.owners()[destination] != rank) continue;
      if (!wanted(from.number_of(i), to.number_of(j))) continue;
      const Domain common = intersection(from.parts()[source], to.parts()[destination]);
      if (common.size() > 0) visit({from.number_of(i), to.number_of(j), common, common});
    }
  });
  return result.made_of([=] { return shape_hash().add(from.fingerprint()).add(to.fingerprint()).value(); });
}

}  // namespace detail

}  // namespace wherry

template <wherry::index_domain Domain>
wherry::index_motions<Domain> wherry::redistribution(const index_floor_plan<Domain>& from,
                                                     const index_floor_plan<Domain>& to) {
  return detail::common_points(from, to, [](int, int) { return true; });
}

template <wherry::index_domain Domain>
wherry::index_motions<Domain> wherry::halo_motion(const index_floor_plan<Domain>& owned,
                                                  const index_floor_plan<Domain>& touched) {
  return detail::common_points(owned, touched, [](int from, int to) { return from != to; });
}

template <wherry::divisible_domain Domain>
wherry::index_floor_plan<Domain> wherry::without_overlap(const index_floor_plan<Domain>& touched, int rank) {
  if (rank != plans::every_rank)
    detail::require_knowledge("without_overlap", touched.complete(), touched.knowledge(), {}, rank);
  std::vector<Domain> parts(touched.parts().begin(), touched.parts().end());
  const auto covers = detail::covers_of(touched.parts());
  for (const auto& [i, j] : detail::touching_parts(covers, covers))
    if (i < j) {
      auto& later = parts[static_cast<std::size_t>(j)];
      later = difference(later, touched.parts()[static_cast<std::size_t>(i)]);
    }
  owner_map owners(touched.owners().begin(), touched.owners().end());
  if (rank == plans::every_rank && touched.complete()) return {std::move(parts), std::move(owners)};
  std::vector<int> numbers;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (rank != plans::every_rank && owners[i] != rank) continue;
    numbers.push_back(touched.number_of(static_cast<int>(i)));
    if (kept < i) parts[kept] = std::move(parts[i]);
    owners[kept++] = owners[i];
  }
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(kept), parts.end());
  owners.resize(kept);
  return {touched.size(), std::move(numbers), std::move(parts), std::move(owners)};
}
