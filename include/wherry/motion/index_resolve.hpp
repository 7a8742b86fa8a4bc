/// @file
/// Makes floor plans of index domains that no rank lists completely: each rank contributes its own parts and learns of
/// the parts of other ranks that have points in common with them.
///
///     auto touched = wherry::resolve(comm, wherry::distributed_floor_plan(comm, std::vector{my_nodes}));
///     auto owned = wherry::without_overlap(touched, comm.rank());
///     auto both = wherry::resolve(comm, owned, touched);
///     auto halo = wherry::halo_motion(both.from, both.to);
///
/// The communication and the memory of a rank depend on the parts that touch its own, not on the number of ranks. All
/// functions are collective over `comm`. If every rank can list all parts, a complete `index_floor_plan` needs none of
/// this.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/motion/index_floor_plan.hpp"

namespace wherry {

/// An index domain that contains exactly the points of its cover, like `index_set`. Other ranks learn only the boxes
/// that touch theirs.
template <class D>
concept covered_domain = index_domain<D> && requires(std::span<const box<detail::cover_dimensions<D>>> boxes) {
  { D::from_cover(boxes) } -> std::convertible_to<D>;
};

/// A domain that can be sent to other ranks: a covered domain, or a trivially copyable one, which is sent as bytes.
template <class D>
concept learnable_domain = covered_domain<D> || (index_domain<D> && std::is_trivially_copyable_v<D>);

/// Numbers the parts of all ranks, rank by rank and on each rank in the order given, and returns a partial floor plan
/// that knows the calling rank's parts. A rank may have no parts, and a part may be empty. Collective over `comm`.
/// @throws error(argument) on all ranks alike for more than 2^31 - 1 parts.
template <index_domain Domain>
index_floor_plan<Domain> distributed_floor_plan(const communicator& comm, std::vector<Domain> mine);

/// Adds to a floor plan the parts of other ranks that touch a part of this rank (of covered domains, only the boxes
/// that do). `without_overlap(plan, rank)` needs this. Collective over `comm`.
/// @param plan knows at least the parts of the calling rank
/// @throws error(mismatch) if the ranks' plans have different sizes.
template <learnable_domain Domain>
index_floor_plan<Domain> resolve(const communicator& comm, const index_floor_plan<Domain>& plan);

/// Adds to each of two floor plans the parts of other ranks that touch a part of this rank in the other plan.
/// `redistribution(from, to)` and `halo_motion(owned, touched)` need this. Collective over `comm`.
/// @throws error(mismatch) if the ranks' plans have different sizes.
template <learnable_domain Domain>
resolved_pair<index_floor_plan<Domain>> resolve(const communicator& comm, const index_floor_plan<Domain>& from,
                                                const index_floor_plan<Domain>& to);

namespace detail {

/// A part in the form in which ranks send it to each other.
template <int N> struct announced_part {
  int number = 0, owner = 0;
  int side = 0;                  ///< 0 or 1: the floor plan that the part belongs to
  std::vector<box<N>> boxes;     ///< its cover; in a received part, the boxes of it that touch the receiver's
  std::vector<std::byte> bytes;  ///< the whole domain; empty if the cover says all
};

/// The number of this rank's first part, and the number of all ranks' parts. Collective over `comm`.
std::pair<int, int> number_parts(const communicator& comm, std::size_t mine);

/// The parts of other ranks that touch one of `mine`. Collective over `comm`.
/// @param two_sides false: all parts are of side 0 and meet each other; true: parts of side 0 meet those of side 1
/// @param domain_bytes the size of a domain that must be sent whole; 0 if its cover says all
/// @param sizes the sizes of the floor plans, which must be the same on all ranks
template <int N>
std::vector<announced_part<N>> resolve_parts(const communicator& comm, const std::vector<announced_part<N>>& mine,
                                             bool two_sides, std::size_t domain_bytes, std::pair<int, int> sizes);

/// The size of a domain that must be sent whole; 0 if its cover says all.
template <learnable_domain Domain>
inline constexpr std::size_t domain_bytes = covered_domain<Domain> ? 0 : sizeof(Domain);

template <learnable_domain Domain>
void announce(const index_floor_plan<Domain>& plan, int side, int rank,
              std::vector<announced_part<cover_dimensions<Domain>>>& list) {
  for (const int number : plan.owned_by(rank)) {
    auto& part = list.emplace_back();
    part.number = number;
    part.owner = rank;
    part.side = side;
    part.boxes = plan[number].cover();
    if constexpr (!covered_domain<Domain>) {
      part.bytes.resize(sizeof(Domain));
      std::memcpy(part.bytes.data(), &plan[number], sizeof(Domain));
    }
  }
}

template <learnable_domain Domain, int N> Domain learned_domain(const announced_part<N>& part) {
  if constexpr (covered_domain<Domain>) {
    return Domain::from_cover(part.boxes);
  } else {
    std::array<std::byte, sizeof(Domain)> bytes;
    std::memcpy(bytes.data(), part.bytes.data(), sizeof(Domain));
    return std::bit_cast<Domain>(bytes);
  }
}

/// A part's number, and its place in the list of known parts or in the list of announced ones.
struct numbered_part {
  int number;
  bool known;
  std::size_t place;
};
/// All parts with a number of at least 0, each once, ascending by number. A part that is both known and announced is
/// taken from the known ones.
std::vector<numbered_part> in_order(const std::vector<int>& known, const std::vector<int>& announced);

/// `plan` with the learned parts of its side added. Parts that it knows already stay as they are.
template <learnable_domain Domain, int N>
index_floor_plan<Domain> extended(const index_floor_plan<Domain>& plan, const std::vector<announced_part<N>>& learned,
                                  int side, int rank, const acquaintance& with) {
  if (plan.complete()) return plan;
  std::vector<int> before, announced, numbers;
  for (int place = 0; place < plan.known(); ++place) before.push_back(plan.number_of(place));
  for (const auto& part : learned) announced.push_back(part.side == side ? part.number : -1);
  std::vector<Domain> parts;
  owner_map owners;
  for (const auto& [number, known, place] : in_order(before, announced)) {
    numbers.push_back(number);
    owners.push_back(known ? plan.owners()[place] : learned[place].owner);
    parts.push_back(known ? plan.parts()[place] : learned_domain<Domain>(learned[place]));
  }
  index_floor_plan<Domain> result(plan.size(), std::move(numbers), std::move(parts), std::move(owners));
  result.set_knowledge(knowledge_after(plan, rank, with));
  return result;
}

}  // namespace detail

}  // namespace wherry

template <wherry::index_domain Domain>
wherry::index_floor_plan<Domain> wherry::distributed_floor_plan(const communicator& comm, std::vector<Domain> mine) {
  const auto [first, total] = detail::number_parts(comm, mine.size());
  std::vector<int> numbers;
  for (std::size_t i = 0; i < mine.size(); ++i) numbers.push_back(first + static_cast<int>(i));
  owner_map owners(mine.size(), comm.rank());
  index_floor_plan<Domain> result(total, std::move(numbers), std::move(mine), std::move(owners));
  result.set_knowledge({.is_said = true});
  return result;
}

template <wherry::learnable_domain Domain>
wherry::index_floor_plan<Domain> wherry::resolve(const communicator& comm, const index_floor_plan<Domain>& plan) {
  std::vector<detail::announced_part<detail::cover_dimensions<Domain>>> mine;
  detail::announce(plan, 0, comm.rank(), mine);
  return detail::extended(
      plan, detail::resolve_parts(comm, mine, false, detail::domain_bytes<Domain>, {plan.size(), plan.size()}), 0,
      comm.rank(), {});
}

template <wherry::learnable_domain Domain>
wherry::resolved_pair<wherry::index_floor_plan<Domain>> wherry::resolve(const communicator& comm,
                                                                        const index_floor_plan<Domain>& from,
                                                                        const index_floor_plan<Domain>& to) {
  std::vector<detail::announced_part<detail::cover_dimensions<Domain>>> mine;
  detail::announce(from, 0, comm.rank(), mine);
  detail::announce(to, 1, comm.rank(), mine);
  const auto learned = detail::resolve_parts(comm, mine, true, detail::domain_bytes<Domain>, {from.size(), to.size()});
  detail::acquaintance together;
  together.pair = detail::next_pair();
  return {detail::extended(from, learned, 0, comm.rank(), together),
          detail::extended(to, learned, 1, comm.rank(), together)};
}
