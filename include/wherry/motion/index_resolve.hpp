/// @file
/// Floor plans of index domains without a replicated list: each rank brings its own parts and learns of those that have
/// points in common with them. What a rank sends, receives and keeps depends on these, not on the number of ranks. All
/// collective.
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

/// A domain that is no more and no less than its cover, like `index_set`: others learn the boxes that touch theirs.
template <class D>
concept covered_domain = index_domain<D> && requires(std::span<const box<cover_dimensions<D>>> boxes) {
  { D::from_cover(boxes) } -> std::convertible_to<D>;
};

/// What other ranks can learn of: a covered domain, or one that travels as bytes.
template <class D>
concept learnable_domain = covered_domain<D> || (index_domain<D> && std::is_trivially_copyable_v<D>);

/// Numbers the parts of all ranks, rank after rank and on each in the order given. The partial floor plan returned
/// knows those of the calling rank. Ranks may have no parts, and parts may be empty.
/// @throws error(argument) on all ranks alike for more than 2^31 - 1 parts.
template <index_domain Domain>
index_floor_plan<Domain> distributed_floor_plan(const communicator& comm, std::vector<Domain> mine);

/// The same floor plan, which then also knows the parts of other ranks that touch one of this rank's; of covered
/// domains their boxes that do: what `without_overlap(plan, rank)` needs.
/// @param plan knows at least the parts of the calling rank
/// @throws error(mismatch) when the ranks have plans of different sizes.
template <learnable_domain Domain>
index_floor_plan<Domain> resolve(const communicator& comm, const index_floor_plan<Domain>& plan);

template <index_domain Domain> struct resolved_index_pair {
  index_floor_plan<Domain> from, to;
};

/// The same two floor plans, each of which then also knows the parts of other ranks that touch a part of this rank in
/// the other plan: what `redistribution(from, to)` and `halo_motion(owned, touched)` need.
/// @throws as above.
template <learnable_domain Domain>
resolved_index_pair<Domain> resolve(const communicator& comm, const index_floor_plan<Domain>& from,
                                    const index_floor_plan<Domain>& to);

namespace detail {

/// A part as it is announced, and as others learn of it.
template <int N> struct announced_part {
  int number = 0, owner = 0;
  int side = 0;                  ///< which of two floor plans it belongs to
  std::vector<box<N>> boxes;     ///< of its cover; learned: those that touch one's own
  std::vector<std::byte> bytes;  ///< the domain, where its cover is not enough
};

/// The number of the first of `mine` parts, and of all.
std::pair<int, int> number_parts(const communicator& comm, std::size_t mine);

/// Collective. The parts of other ranks that touch one of `mine`: of one floor plan (all of side 0), or parts of side 0
/// touch those of side 1.
/// @param domain_bytes of each domain, where all of it is to be learned; else 0
/// @param sizes of the floor plans: must be the same on all ranks
template <int N>
std::vector<announced_part<N>> resolve_parts(const communicator& comm, const std::vector<announced_part<N>>& mine,
                                             bool two_sides, std::size_t domain_bytes, std::pair<int, int> sizes);

/// Bytes of a domain that others must learn whole; 0: its cover says all.
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

/// A part by its number: the place among those that were known, or among those that were announced.
struct numbered_part {
  int number;
  bool known;
  std::size_t place;
};
/// All with a number, each once, ascending; what was known comes before what is announced.
std::vector<numbered_part> in_order(const std::vector<int>& known, const std::vector<int>& announced);

/// `plan`, which also knows what was learned of its side. Known parts stay as they are.
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
  std::vector<detail::announced_part<cover_dimensions<Domain>>> mine;
  detail::announce(plan, 0, comm.rank(), mine);
  return detail::extended(
      plan, detail::resolve_parts(comm, mine, false, detail::domain_bytes<Domain>, {plan.size(), plan.size()}), 0,
      comm.rank(), {});
}

template <wherry::learnable_domain Domain>
wherry::resolved_index_pair<Domain> wherry::resolve(const communicator& comm, const index_floor_plan<Domain>& from,
                                                    const index_floor_plan<Domain>& to) {
  std::vector<detail::announced_part<cover_dimensions<Domain>>> mine;
  detail::announce(from, 0, comm.rank(), mine);
  detail::announce(to, 1, comm.rank(), mine);
  const auto learned = detail::resolve_parts(comm, mine, true, detail::domain_bytes<Domain>, {from.size(), to.size()});
  detail::acquaintance together;
  together.pair = detail::next_pair();
  return {detail::extended(from, learned, 0, comm.rank(), together),
          detail::extended(to, learned, 1, comm.rank(), together)};
}
