/// @file
/// Movers: what carries a motion plan between two x-arrays (paper 4, section 2: Mover).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/blocks/index_domain.hpp"
#include "wherry/blocks/motion_builder.hpp"
#include "wherry/blocks/motion_plan.hpp"
#include "wherry/blocks/x_array.hpp"
#include "wherry/transport/exchange.hpp"

namespace wherry {

/// How a mover moves. The same on all ranks.
struct mover_options {
  /// Combine what arrives with what is there instead of storing it: `add<double>()`, or a function of your own. Entries
  /// are combined in a fixed order, so that sums of floats come out identical.
  std::optional<reduction> update{};
  /// Larger messages are cut into packets of at most so many bytes, one after the other, so that memory for messages is
  /// bounded (by the packet, or a section's layer that is larger, for each rank that data goes to or comes from); 0:
  /// all that goes to a rank is one message. `auto` is then `two_sided`, and `wait` depends on the others' waiting.
  std::int64_t packet_bytes = 0;
  carry_options carry{};
  /// Sees what the inspector made of the plan before it is bound, on every rank, and may change it: a mover of your own
  /// without copying ours. Changes of a message must be made on both its sides.
  std::function<void(schedule&)> inspected{};
};

/// A motion plan bound to a source and a destination. Construction analyses the plan (KeLP's inspector) and allocates
/// all buffers; `start` and `wait` then move any number of times and allocate nothing. What stays on a rank is copied,
/// what is contiguous travels without packing, all that goes to one rank is one message. Several movers may be in
/// flight.
class mover {
 public:
  /// Collective over the arrays' communicator, with the same arrays and options. The arrays must outlive the mover's
  /// use, not the mover. Source and destination may be the same array. With different element types, each element
  /// is converted as by assignment.
  /// @throws error(argument), on all ranks alike, for entries outside their grids, numbers out of range, sections of
  ///         different sizes; error(mismatch) when two ranks have messages of different sizes in mind, and in checking
  ///         mode (WHERRY_CHECK=1) different entries.
  template <class Motions, class Source, class Destination>
  mover(const Motions& motions, const Source& source, const Destination& destination)
      : mover(motions, mover_options{}, source, destination) {}
  /// What a builder makes is bound as it is made: no list of it is kept, and each rank makes its own entries alone.
  template <class Source, class Destination, int N>
  mover(const motion_builder<motion_plan<N>>& motions, const mover_options& how, const x_array<Source, N>& source,
        const x_array<Destination, N>& destination);
  template <class Source, class Destination, int N>
  mover(const motion_plan<N>& plan, const mover_options& how, const x_array<Source, N>& source,
        const x_array<Destination, N>& destination)
      : mover(motion_builder<motion_plan<N>>::of(plan), how, source, destination) {}
  /// The same for values on index domains instead of boxes; defined in index_mover.hpp.
  template <class Source, class Destination, class Domain>
  mover(const motion_builder<index_motion_plan<Domain>>& motions, const mover_options& how,
        const index_array<Source, Domain>& source, const index_array<Destination, Domain>& destination);
  template <class Source, class Destination, class Domain>
  mover(const index_motion_plan<Domain>& plan, const mover_options& how, const index_array<Source, Domain>& source,
        const index_array<Destination, Domain>& destination)
      : mover(motion_builder<index_motion_plan<Domain>>::of(plan), how, source, destination) {}

  /// Begins; does not block. Until `wait` returns, sections that are moved must not be written, nor read where they
  /// arrive.
  void start() { exchange_.start(); }
  /// The same between other arrays of exactly the same shapes: what was analysed is used again, at no cost.
  /// @throws error(argument) on this rank, before anything moves, when the shapes or elements differ, naming figures.
  template <class Source, class Destination, int N>
  void start(const x_array<Source, N>& source, const x_array<Destination, N>& destination);
  template <class Source, class Destination, class Domain>
  void start(const index_array<Source, Domain>& source, const index_array<Destination, Domain>& destination);
  /// Makes progress; true when all has arrived.
  bool test() { return exchange_.test(); }
  /// Returns when all has arrived and all that leaves has been read.
  void wait() { exchange_.wait(); }
  /// Gives up what is in flight; see `exchange::abandon`.
  void abandon() noexcept { exchange_.abandon(); }
  void operator()() {
    start();
    wait();
  }

  /// What the inspector made of this rank's part.
  const wherry::schedule& schedule() const { return exchange_.schedule(); }
  exchange& bound() { return exchange_; }
  std::string transport() const { return exchange_.transport(); }
  std::string explain() const { return exchange_.explain(); }
  exchange_statistics statistics() const { return exchange_.statistics(); }

 private:
  struct shapes {
    std::uint64_t source = 0, destination = 0;
    bool endogenous = false;  ///< source and destination are one array
    bool operator==(const shapes&) const = default;
  };
  struct both_figures {
    array_figures source, destination;
  };
  template <class Source, class Destination> static shapes shapes_of(const Source& source, const Destination& to) {
    return {source.shape().fingerprint, to.shape().fingerprint, source.memory().data() == to.memory().data()};
  }
  template <class Source, class Destination>
  static both_figures figures_of_both(const Source& source, const Destination& to) {
    return {figures_of(source.shape()), figures_of(to.shape())};
  }
  [[noreturn]] void refuse(const shapes& given, const both_figures& figures) const;
  template <class Source, class Destination> void start_between(const Source& source, const Destination& destination) {
    if (const auto given = shapes_of(source, destination); given != bound_)
      refuse(given, figures_of_both(source, destination));
    start_at(source.memory(), destination.memory());
  }
  void start_at(std::span<void* const> source, std::span<void* const> destination);

  shapes bound_;
  both_figures figures_;
  std::vector<void*> table_;
  exchange exchange_;
};

/// Binds with the types erased; collective. One for each number of dimensions from 1 to 6.
template <int N>
exchange bind_motion(const communicator& comm, const motion_builder<motion_plan<N>>& motions,
                     const array_shape<N>& source, const array_shape<N>& destination, std::span<void* const> table,
                     const mover_options& how);

namespace detail {

std::vector<void*> field_table(std::span<void* const> source, std::span<void* const> destination);

/// Elements of another type are converted as by assignment, unless the user says how.
template <class Source, class Destination> mover_options with_conversion(mover_options how) {
  if constexpr (!std::is_same_v<std::remove_const_t<Source>, std::remove_const_t<Destination>>)
    if (!how.update) how.update = convert<Destination, Source>();
  return how;
}

}  // namespace detail

}  // namespace wherry

template <class Source, class Destination, int N>
wherry::mover::mover(const motion_builder<motion_plan<N>>& motions, const mover_options& how,
                     const x_array<Source, N>& source, const x_array<Destination, N>& destination)
    : bound_(shapes_of(source, destination)),
      figures_(figures_of_both(source, destination)),
      table_(detail::field_table(source.memory(), destination.memory())),
      exchange_(bind_motion(source.comm(), motions, source.shape(), destination.shape(), table_,
                            detail::with_conversion<Source, Destination>(how))) {}

template <class Source, class Destination, int N>
void wherry::mover::start(const x_array<Source, N>& source, const x_array<Destination, N>& destination) {
  start_between(source, destination);
}
