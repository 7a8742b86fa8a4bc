/// @file
/// Movers between index arrays (KeLP, section 5). Include this header to make a `mover` from an index motion plan; the
/// mover, its options and its transports are those of mover.hpp.
///
///     wherry::index_floor_plan<> touched;  // for each part, the nodes of its elements, and the rank that owns it
///     auto halo = wherry::halo_motion(wherry::without_overlap(touched), touched);
///     wherry::index_array<double> u(comm, touched);
///     wherry::mover assemble(halo.reversed(), u, u, {.update = std::plus<>{}});
///     wherry::mover update(halo, u, u);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/motion/index_array.hpp"
#include "wherry/motion/index_motion_plan.hpp"
#include "wherry/motion/index_shape.hpp"
#include "wherry/motion/mover.hpp"

namespace wherry::detail {

/// Translates the points of an entry into places in memory. Only the owner of a part checks that side of an entry,
/// because other ranks may not know the whole part.
template <index_domain Domain> class placing {
 public:
  placing(const index_floor_plan<Domain>& source, const index_floor_plan<Domain>& destination, const inspection& where)
      : source_(source), destination_(destination), rank_(where.rank), whose_(where.whose) {}

  std::vector<placed_motion> operator()(const plans::motion_builder<index_motion_plan<Domain>>& motions) const {
    std::vector<placed_motion> result;
    motions.for_each(
        rank_, {[&](const index_motion<Domain>& e) {
          const int from = owner(source_, e.from, e), to = owner(destination_, e.to, e);
          if (from != rank_ && to != rank_) return;
          if (from < 0 || to < 0) fail(e, text("part ", from < 0 ? e.from : e.to, " is not known to this rank"));
          const auto points = static_cast<index_t>(e.source.size()),
                     arriving = static_cast<index_t>(e.destination.size());
          if (points != arriving)
            fail(e, text("the source section has ", points, " points, and the destination section has ", arriving));
          placed_motion placed{e.from, e.to, from, to, points, {}, {}};
          if (from == rank_) placed.source = places(e, source_[e.from], e.source, "source", e.from);
          if (to == rank_) placed.destination = places(e, destination_[e.to], e.destination, "destination", e.to);
          if (points > 0) result.push_back(std::move(placed));
        }});
    return result;
  }

 private:
  /// The owner of a part, or -1 if this rank does not know the part.
  int owner(const index_floor_plan<Domain>& side, int number, const index_motion<Domain>& e) const {
    if (number < 0 || number >= side.size()) fail(e, text("part ", number, " of ", side.size(), " does not exist"));
    const int place = side.place_of(number);
    return place < 0 ? -1 : side.owners()[static_cast<std::size_t>(place)];
  }

  std::vector<index_run> places(const index_motion<Domain>& e, const Domain& whole, const Domain& section,
                                std::string_view side, int number) const {
    if (Domain(intersection(whole, section)).size() != section.size())
      fail(e, text("the ", side, " section is not inside part ", number));
    std::vector<index_run> runs;
    const auto size = static_cast<index_t>(whole.size());
    index_t points = 0;
    whole.for_each_place(section, [&](index_t first, index_t count) {
      if (first < 0 || count < 0 || first > size - count)
        fail(e, text("the domain says that points stand at places ", first, " to ", first + count, " of ", size));
      points += count;
      if (!runs.empty() && runs.back().first + runs.back().count == first)
        runs.back().count += count;
      else if (count > 0)
        runs.push_back({first, count});
    });
    if (points != static_cast<index_t>(section.size()))
      fail(e, text("the domain gives places for ", points, " of ", section.size(), " points"));
    return runs;
  }

  [[noreturn]] void fail(const index_motion<Domain>& e, std::string_view what) const {
    throw error(error_kind::argument, "mover",
                text(whose_, whose_.empty() ? "" : ", ", "entry part ", e.from, " → part ", e.to, ": ", what), rank_);
  }

  const index_floor_plan<Domain>&source_, &destination_;
  int rank_;
  std::string_view whose_;
};

/// A hash of the builders' arguments, which all ranks compare.
template <index_domain Domain>
std::uint64_t word_of(const std::vector<plans::motion_builder<index_motion_plan<Domain>>>& stages) {
  shape_hash all;
  for (const auto& stage : stages) all.add(stage.word());
  return all.value();
}

}  // namespace wherry::detail

template <class Source, class Destination, class Domain>
  requires wherry::detail::is_index_array<Destination, Domain>
wherry::movement::movement(std::vector<plans::motion_builder<index_motion_plan<Domain>>> stages,
                           const index_array<Source, Domain>& source, Destination& destination,
                           const movement_options& options)
    : movement(source, destination, options,
               detail::erase(stages.size(), detail::word_of(stages),
                             [stages, from = source.plan(), to = destination.plan()](std::size_t stage,
                                                                                     const detail::inspection& where) {
                               return detail::placing<Domain>(from, to, where)(stages[stage]);
                             },
                             source.shape(), destination.shape(),
                             {source.plan().fingerprint(), destination.plan().fingerprint()})) {}
