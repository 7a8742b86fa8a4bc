/// @file
/// Movers: what carries motion plans between x-arrays (paper 4, section 2: Mover).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wherry/motion/movement.hpp"
#include "wherry/transport/bound_pattern.hpp"

namespace wherry {

/// How a mover moves. The same on all ranks.
struct mover_options {
  /// Combine what arrives with what is there instead of storing it: `add<double>()`, or a function of your own. Entries
  /// are combined in a fixed order, so that sums of floats come out identical. In a list, of those movements that name
  /// none of their own.
  std::optional<reduction> update{};
  carry_options carry{};
  /// Each grid of the source is a part that becomes ready by itself: see `mover::start_in_parts`. Not with
  /// `carry.snapshot`.
  bool in_parts = false;
  /// Sees what the inspector made of the plan before it is bound, on every rank, and may change it: a mover of your own
  /// without copying ours. Changes of a message must be made on both its sides.
  std::function<void(schedule&)> inspected{};
};

namespace detail {

/// A source or a destination of a mover's list.
struct bound_array {
  std::uint64_t fingerprint = 0;
  std::size_t same_as = 0;            ///< place in the list of the first one that is the same array
  std::size_t first = 0, pieces = 0;  ///< its pieces of memory in the table of fields
  array_figures figures{};
};

}  // namespace detail

/// Motion plans bound to their sources and destinations. Construction analyses the plans (KeLP's inspector) and
/// allocates all buffers; `start` and `wait` then move any number of times and allocate nothing. What stays on a rank
/// is copied, what is contiguous travels without packing. Several movers may be in flight.
///
///     wherry::mover fill_ghosts(halo, u, u);
///     wherry::mover both({{halo, u, u}, {halo_of_v, v, v, {.update = wherry::add<double>()}}});
///     wherry::mover three(wherry::mover_stages{{{fetch, u, v}}, {{halo, v, v}, {halo, w, w}}});
class mover : public bound_pattern {
 public:
  /// What moves at once, arrays of any types and dimensions: all that goes to one rank is one message. No movement may
  /// write cells that another reads or stores to (WHERRY_CHECK=1 finds two that store, and copies that read what others
  /// write; not one that combines where another stores). Collective over the arrays' communicator, with the same arrays
  /// and options. The arrays must outlive the mover's use, not the mover. Source and destination may be the same array.
  /// With different element types, each element is converted as by assignment.
  /// @throws error(argument), on all ranks alike, for entries outside their grids, numbers out of range, sections of
  ///         different sizes; error(mismatch) when two ranks have messages of different sizes in mind, or lists that
  ///         differ, and in checking mode (WHERRY_CHECK=1) different entries; error(argument), on this rank, for an
  ///         empty list, of which nobody knows the communicator.
  mover(std::initializer_list<movement> at_once, const mover_options& how = {});
  mover(std::span<const movement> at_once, const mover_options& how = {});
  /// Several stages: each begins on a rank when what arrives there in the one before has. `wait` then depends on the
  /// others' waiting or testing too.
  mover(const mover_stages& stages, const mover_options& how = {});

  /// One movement: a builder, a plan or stages of builders, of boxes or index domains. What a builder makes is bound as
  /// it is made: no list of it is kept, and each rank makes its own entries alone.
  template <class Motions, class Source, class Destination>
  mover(const Motions& motions, const mover_options& how, const Source& source, Destination& destination)
      : mover({movement(motions, source, destination)}, how) {}
  template <class Motions, class Source, class Destination>
  mover(const Motions& motions, const Source& source, Destination& destination)
      : mover(motions, mover_options{}, source, destination) {}

  using bound_pattern::start;
  /// The same between other arrays of exactly the same shapes: what was analysed is used again, at no cost. The source
  /// and the destination of each movement, in the order of the list.
  /// @throws error(argument) on this rank, before anything moves, when the shapes or elements differ, naming figures.
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start(Arrays&... arrays) {
    static_assert(are_writable<Arrays...>(), "a const array is read-only: nothing can be moved into it");
    const detail::moved_array given[] = {detail::moved(arrays)...};
    take(given);
    exchange_.start(table_);
  }

  /// Begins; but what leaves a grid of the source does so when `ready(i)` says that it is computed, by any thread. `i`
  /// counts this rank's grids, or parts of an index domain, as `blocks()` does; several sources have their i-th ones
  /// ready together. With `mover_options::in_parts`.
  ///     fill_ghosts.start_in_parts();
  ///     #pragma omp parallel for
  ///     for (int i = 0; i < std::ssize(u.blocks()); ++i) { compute(u.blocks()[i]); fill_ghosts.ready(i); }
  ///     fill_ghosts.wait();
  /// What arrives may be written from the start on: ghost cells must not be read or written by what is computed.
  using bound_pattern::start_in_parts;
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start_in_parts(Arrays&... arrays) {
    static_assert(are_writable<Arrays...>(), "a const array is read-only: nothing can be moved into it");
    const detail::moved_array given[] = {detail::moved(arrays)...};
    take(given);
    exchange_.start_in_parts(table_);
  }

 private:
  struct bound_list {
    std::vector<detail::bound_array> arrays;
    std::vector<void*> table;
    exchange bound;
  };
  static bound_list bind(const mover_stages& stages, const mover_options& how);
  explicit mover(bound_list made)
      : bound_pattern(std::move(made.bound)), arrays_(std::move(made.arrays)), table_(std::move(made.table)) {}

  /// The destinations among sources and destinations in turn.
  template <class... Arrays> static constexpr bool are_writable() {
    constexpr bool writable[] = {detail::is_writable<Arrays>...};
    for (std::size_t i = 1; i < sizeof...(Arrays); i += 2)
      if (!writable[i]) return false;
    return true;
  }
  /// Other arrays, if their shapes are those that were bound.
  void take(std::span<const detail::moved_array> given);
  [[noreturn]] void refuse(std::span<const detail::moved_array> given) const;

  std::vector<detail::bound_array> arrays_;  ///< source and destination of each movement
  std::vector<void*> table_;
};

}  // namespace wherry
