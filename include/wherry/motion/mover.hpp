/// @file
/// Movers: they carry motion plans between x-arrays, any number of times (KeLP's Mover; KeLP, section 2).
///
///     wherry::mover fill_ghosts(halo, u, u);
///     fill_ghosts();  // or start() … wait(), to compute meanwhile
///     wherry::mover both({{halo, u, u}, {halo_of_v, v, v, {.update = std::plus<>{}}}});  // one message a peer
///     wherry::mover three(wherry::mover_stages{{{fetch, u, v}}, {{halo, v, v}, {halo, w, w}}});
///
/// For ghost cells of an x-array `ghost_filler` (blocks/ghost_filler.hpp) is shorter; for one box a rank on a process
/// grid use `halo_exchange`. For index arrays include index_mover.hpp.
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

/// Options of a mover. All but `carry.team` and `carry.name` must be the same on all ranks.
struct mover_options {
  /// Combines arriving elements with those at the destination instead of storing them, such as `std::plus<>{}`,
  /// `maximum{}`, or a function of two elements (plan/reduction.hpp). Entries are combined in a fixed order, so that
  /// sums of floating-point numbers have the same bits in every run. In a list, it applies to the movements without an
  /// update of their own.
  std::optional<reduction> update{};
  carry_options carry{};  ///< the transport, and other things that change how data travels, but not where to
  /// Makes each grid of the source a part that can be sent as soon as it is ready; see `mover::start_in_parts`. Not
  /// allowed together with `carry.snapshot`.
  bool in_parts = false;
  /// Called on every rank with the schedule before it is bound, to print or check it, or to make a mover of your own:
  /// the function may change the schedule. A change of a message must be made on both of its sides.
  std::function<void(plans::schedule&)> inspected{};
};

namespace detail {

/// A source or destination in a mover's list.
struct bound_array {
  std::uint64_t fingerprint = 0;
  std::size_t same_as = 0;            ///< index of the first entry of the list that is the same array
  std::size_t first = 0, pieces = 0;  ///< range of its pieces of memory in the table of fields
  array_figures figures{};
};

}  // namespace detail

/// Motion plans that are bound to their source and destination arrays. The constructor analyses the plans (KeLP's
/// inspector) and allocates all buffers; `start` and `wait` then carry the motions any number of times and allocate
/// nothing. Data that stays on a rank is copied directly, and contiguous data travels without packing. Several movers
/// may be in flight at the same time.
///
/// Constructors are collective over the communicator of the arrays. All ranks must pass the same arrays and options and
/// the same number of movements. The arrays must outlive every call that uses them, but need not outlive the mover.
class mover : public bound_pattern {
 public:
  /// Carries movements at the same time, between arrays of any types and dimensions: everything for one rank travels in
  /// one message. The source and the destination of a movement may be the same array. If their element types differ,
  /// each element is converted as by assignment. Collective.
  ///
  /// No movement may write cells that another one reads or writes. WHERRY_CHECK=1 finds movements that store to the
  /// same cells and copies that read cells that others write. It does not find a movement that combines where another
  /// one stores.
  /// @throws error(argument) on all ranks alike for entries outside their grids, box numbers out of range, and sections
  ///         of different sizes; error(mismatch) if ranks pass lists that differ or two ranks expect different sizes of
  ///         a message, and under WHERRY_CHECK=1 if their entries differ; error(argument) on this rank only for an
  ///         empty list, which has no communicator.
  mover(std::initializer_list<movement> at_once, const mover_options& options = {});
  mover(std::span<const movement> at_once, const mover_options& options = {});
  /// Carries several stages. A stage begins on a rank when everything that the rank receives in the stage before has
  /// arrived. A rank's `wait` therefore ends only if its peers call `wait` or `test` too. Collective; @throws as for
  /// one list.
  mover(const mover_stages& stages, const mover_options& options = {});

  /// Carries one movement. `motions` is a builder, a motion plan or a list of builders, between boxes or index domains.
  /// A builder makes only this rank's entries, and the mover keeps no list of them. Collective; @throws as for a list.
  template <class Motions, class Source, class Destination>
  mover(const Motions& motions, const Source& source, Destination& destination, const mover_options& options = {})
      : mover({movement(motions, source, destination)}, options) {}

  using bound_pattern::start;
  /// Starts with other arrays of exactly the same shapes. The analysis is used again, so this costs nothing extra.
  /// @param arrays the source and the destination of each movement, in the order of the list
  /// @throws error(argument) on this rank, before anything moves, if a shape or an element type differs. The text names
  ///         both figures.
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start(Arrays&... arrays) {
    static_assert(are_writable<Arrays...>(), "a const array is read-only: nothing can be moved into it");
    const detail::moved_array given[] = {detail::moved(arrays)...};
    take(given);
    exchange_.start(table_);
  }

  using bound_pattern::operator();
  /// Calls `start` with other arrays, and `wait`.
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void operator()(Arrays&... arrays) {
    start(arrays...);
    wait();
  }

  /// `start` for a list whose length is known at run time only, as language bindings have it.
  void start_with(std::span<const detail::moved_array> arrays) {
    take(arrays);
    exchange_.start(table_);
  }

  /// Starts, but sends the data of each source grid only after `ready(i)` has been called for it, by any thread. `i` is
  /// the index of the grid in `blocks()` (of an index array: of the part in `parts()`); if the list has several
  /// sources, `ready(i)` covers the i-th grid of each. Requires `mover_options::in_parts`.
  ///     fill_ghosts.start_in_parts();
  ///     #pragma omp parallel for
  ///     for (int i = 0; i < std::ssize(u.blocks()); ++i) { compute(u.blocks()[i]); fill_ghosts.ready(i); }
  ///     fill_ghosts.wait();
  /// From the start on, the mover may write ghost cells, so the computation must neither read nor write them.
  /// @throws error(state) on this rank if the mover was made without `in_parts`; error(argument) as `start`.
  using bound_pattern::start_in_parts;
  template <class... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start_in_parts(Arrays&... arrays) {
    static_assert(are_writable<Arrays...>(), "a const array is read-only: nothing can be moved into it");
    const detail::moved_array given[] = {detail::moved(arrays)...};
    take(given);
    exchange_.start_in_parts(table_);
  }
  void start_in_parts_with(std::span<const detail::moved_array> arrays) {
    take(arrays);
    exchange_.start_in_parts(table_);
  }

 private:
  struct bound_list {
    std::vector<detail::bound_array> arrays;
    std::vector<void*> table;
    exchange bound;
  };
  static bound_list bind(const mover_stages& stages, const mover_options& options);
  explicit mover(bound_list made)
      : bound_pattern(std::move(made.bound)), arrays_(std::move(made.arrays)), table_(std::move(made.table)) {}

  /// True if the destinations (every second array) may be written.
  template <class... Arrays> static constexpr bool are_writable() {
    constexpr bool writable[] = {detail::is_writable<Arrays>...};
    for (std::size_t i = 1; i < sizeof...(Arrays); i += 2)
      if (!writable[i]) return false;
    return true;
  }
  /// Puts other arrays into the table, if their shapes are those that were bound.
  void take(std::span<const detail::moved_array> given);
  [[noreturn]] void refuse(std::span<const detail::moved_array> given) const;

  std::vector<detail::bound_array> arrays_;  ///< source and destination of each movement
  std::vector<void*> table_;
};

}  // namespace wherry
