/// @file
/// Builders of motions between index domains: shared nodes of finite-element meshes, redistribution. Pure; no MPI.
/// The cost is near linear in the boxes of the covers and in those that touch.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "wherry/motion/index_floor_plan.hpp"
#include "wherry/motion/index_motion_plan.hpp"
#include "wherry/motion/motions.hpp"

namespace wherry {

/// The covers of several parts, one after the other.
template <int N> struct part_covers {
  std::vector<box<N>> boxes;
  std::vector<int> part;  ///< place of the part that each box belongs to
};

/// Pairs of places (i, j) where a box of `from`'s part i intersects one of `to`'s part j: each once, ascending. One for
/// each number of dimensions from 1 to 6.
template <int N> std::vector<std::pair<int, int>> touching_parts(const part_covers<N>& from, const part_covers<N>& to);

/// A builder of motions between index domains.
template <index_domain Domain> using index_motions = motion_builder<index_motion_plan<Domain>>;

/// Every point that a part of `to` has in common with a part of `from`.
template <index_domain Domain>
index_motions<Domain> redistribution(const index_floor_plan<Domain>& from, const index_floor_plan<Domain>& to);

/// Brings the values of shared points from their owners to all who need them: a halo update of a finite-element mesh
/// (paper 4, section 5). For arrays over `touched`. Its `reversed()` with `update = add<double>()` adds up at the owner
/// what the parts have assembled.
/// @param owned what each part owns: of `touched`, and every point once
/// @param touched what each part needs, such as all nodes of its elements
template <index_domain Domain>
index_motions<Domain> halo_motion(const index_floor_plan<Domain>& owned, const index_floor_plan<Domain>& touched);

/// The same parts without what they have in common: each point only in the part of the lowest number. With a `rank`, a
/// partial plan of its parts alone: then `touched` need not know more than these and those that touch them.
template <divisible_domain Domain>
index_floor_plan<Domain> without_overlap(const index_floor_plan<Domain>& touched, int rank = every_rank);

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

/// The points in common of parts that touch, where `wanted(from, to)`.
template <index_domain Domain, class Wanted>
index_motions<Domain> common_points(const index_floor_plan<Domain>& from, const index_floor_plan<Domain>& to,
                                    Wanted wanted) {
  index_motions<Domain> result([=](int rank, const motion_visitor<index_motion<Domain>>& visit) {
    if (rank != every_rank && from.shares_table(to))
      require_knowledge("redistribution", from.complete(), from.knowledge(), {}, rank);
    else if (rank != every_rank)
      require_pair("redistribution", from.complete() || to.complete(), from.knowledge(), to.knowledge(), {}, rank);
    for (const auto& [i, j] : touching_parts(covers_of(from.parts()), covers_of(to.parts()))) {
      const auto source = static_cast<std::size_t>(i), destination = static_cast<std::size_t>(j);
      if (rank != every_rank && from.owners()[source] != rank && to.owners()[destination] != rank) continue;
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
  if (rank != every_rank)
    detail::require_knowledge("without_overlap", touched.complete(), touched.knowledge(), {}, rank);
  std::vector<Domain> parts(touched.parts().begin(), touched.parts().end());
  const auto covers = detail::covers_of(touched.parts());
  for (const auto& [i, j] : touching_parts(covers, covers))
    if (i < j) {
      auto& later = parts[static_cast<std::size_t>(j)];
      later = difference(later, touched.parts()[static_cast<std::size_t>(i)]);
    }
  owner_map owners(touched.owners().begin(), touched.owners().end());
  if (rank == every_rank && touched.complete()) return {std::move(parts), std::move(owners)};
  std::vector<int> numbers;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (rank != every_rank && owners[i] != rank) continue;
    numbers.push_back(touched.number_of(static_cast<int>(i)));
    if (kept < i) parts[kept] = std::move(parts[i]);
    owners[kept++] = owners[i];
  }
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(kept), parts.end());
  owners.resize(kept);
  return {touched.size(), std::move(numbers), std::move(parts), std::move(owners)};
}
