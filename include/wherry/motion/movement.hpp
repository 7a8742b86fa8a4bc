/// @file
/// Movements: what a mover carries, each a motion between two arrays. Types are erased here; what is below is compiled
/// once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/motion/array_shape.hpp"
#include "wherry/motion/index_domain.hpp"
#include "wherry/motion/motion_builder.hpp"
#include "wherry/motion/motion_plan.hpp"
#include "wherry/motion/x_array.hpp"
#include "wherry/plan/functions.hpp"

namespace wherry {

class schedule_builder;

/// How one movement arrives. The same on all ranks.
struct movement_options {
  /// Combine what arrives with what is there instead of storing it: `add<double>()`, or a function of your own.
  std::optional<reduction> update{};
};

namespace detail {

/// An array as movers see it. Refers to the array.
struct moved_array {
  const void* shape = nullptr;  ///< which array it is
  std::span<void* const> memory{};
  std::uint64_t fingerprint = 0;
  array_figures (*figures)(const void* shape) = nullptr;
  std::vector<piece_range> (*ranges)(const void* shape) = nullptr;
};
template <class Shape> moved_array moved(const Shape& shape, std::span<void* const> memory) {
  return {&shape, memory, shape.fingerprint, [](const void* s) { return figures_of(*static_cast<const Shape*>(s)); },
          [](const void* s) { return static_cast<const Shape*>(s)->ranges(); }};
}
template <class Array> moved_array moved(const Array& array) { return moved(array.shape(), array.memory()); }

/// An x-array of N dimensions, or an index array of that domain; const or not.
template <class Array, int N> inline constexpr bool is_x_array = false;
template <class T, int N> inline constexpr bool is_x_array<x_array<T, N>, N> = true;
template <class T, int N> inline constexpr bool is_x_array<const x_array<T, N>, N> = true;
template <class Array, class Domain> inline constexpr bool is_index_array = false;
template <class T, class Domain> inline constexpr bool is_index_array<index_array<T, Domain>, Domain> = true;
template <class T, class Domain> inline constexpr bool is_index_array<const index_array<T, Domain>, Domain> = true;

/// Whether something may be moved to it.
template <class Array>
inline constexpr bool is_writable = !std::is_const_v<Array> && !std::is_const_v<typename Array::element_type>;

/// What ranks compare of an array, and schedules are told of it. Refers to the array's shape.
struct array_facts {
  index_t element = 1;  ///< bytes
  element_type type{};
  int components = 1;
  std::string_view name{};
  memory_space space = memory_space::host;
  std::span<const index_t> bytes{};  ///< of each piece of memory
  int dimensions = 0;                ///< 0: an index domain
  int boxes = 0;                     ///< of the floor plan
  std::array<int, max_dimensions> layout{};
  bool interleaved = false;  ///< of an index domain
  std::uint64_t floor = 0;   ///< of a complete floor plan: equal on all ranks; else 0
  /// A name and a value of each of its parts, for an error text. Null: nothing to tell.
  std::function<std::vector<std::pair<std::string, std::string>>()> parts_of_floor{};
};

/// Where a movement goes in a schedule.
struct inspection {
  schedule_builder& into;
  int rank = 0;
  std::int32_t source_field = 0, destination_field = 0;  ///< the arrays' first pieces of memory
  bool endogenous = false;                               ///< source and destination are one array
  bool combines = false;
  std::uint64_t number = 0;  ///< among the movements: what messages are sorted by first
  std::int64_t packet_bytes = 0;
  std::string_view whose{};  ///< which movement, for an error text; empty where there is no other
};

/// What depends on the index space, as functions.
struct erased_motion {
  array_facts source{}, destination{};
  std::size_t stages = 1;
  std::uint64_t word = 0;  ///< of what the builders were given, which all ranks must have alike; 0: not known
  /// Adds this rank's part of a stage. @throws error(argument)
  std::function<void(std::size_t stage, const inspection& where)> inspect{};
  /// Collective: compares a stage's entries with those of the other ranks. Null: nothing to compare.
  std::function<void(std::size_t stage, const communicator& comm)> compare{};
};

/// One for each number of dimensions from 1 to 6.
template <int N>
erased_motion erase(std::vector<motion_builder<motion_plan<N>>> stages, const array_shape<N>& source,
                    const array_shape<N>& destination);

}  // namespace detail

/// A motion, the array it is from, the array it goes to, and how it arrives there: what the lists that a mover is given
/// consist of. `{motions, source, destination}` or `{motions, source, destination, {.update = …}}`, where the motions
/// are a builder, a plan, or stages of builders (such as `halo_stages`), of which each is carried when the one before
/// has arrived. Refers to the arrays and to a plan, which must stay where they are until the mover is made.
class movement {
 public:
  template <class Source, class Destination, int N>
    requires detail::is_x_array<Destination, N>
  movement(std::vector<motion_builder<motion_plan<N>>> stages, const x_array<Source, N>& source,
           Destination& destination, const movement_options& how = {})
      : movement(source, destination, how, detail::erase(std::move(stages), source.shape(), destination.shape())) {}
  template <class Source, class Destination, int N>
    requires detail::is_x_array<Destination, N>
  movement(const motion_builder<motion_plan<N>>& motions, const x_array<Source, N>& source, Destination& destination,
           const movement_options& how = {})
      : movement(std::vector{motions}, source, destination, how) {}
  template <class Source, class Destination, int N>
    requires detail::is_x_array<Destination, N>
  movement(const motion_plan<N>& plan, const x_array<Source, N>& source, Destination& destination,
           const movement_options& how = {})
      : movement(motion_builder<motion_plan<N>>::of(plan), source, destination, how) {}

  // The same for values on index domains; defined in index_mover.hpp.
  template <class Source, class Destination, class Domain>
    requires detail::is_index_array<Destination, Domain>
  movement(std::vector<motion_builder<index_motion_plan<Domain>>> stages, const index_array<Source, Domain>& source,
           Destination& destination, const movement_options& how = {});
  template <class Source, class Destination, class Domain>
    requires detail::is_index_array<Destination, Domain>
  movement(const motion_builder<index_motion_plan<Domain>>& motions, const index_array<Source, Domain>& source,
           Destination& destination, const movement_options& how = {})
      : movement(std::vector{motions}, source, destination, how) {}
  template <class Source, class Destination, class Domain>
    requires detail::is_index_array<Destination, Domain>
  movement(const index_motion_plan<Domain>& plan, const index_array<Source, Domain>& source, Destination& destination,
           const movement_options& how = {})
      : movement(motion_builder<index_motion_plan<Domain>>::of(plan), source, destination, how) {}

  // No moves, so that none is ever without its motions.
  movement(const movement&) = default;
  movement& operator=(const movement&) = default;

  /// Of what has no type any more.
  movement(const communicator& comm, const detail::moved_array& source, const detail::moved_array& destination,
           detail::erased_motion motion, const movement_options& how = {})
      : comm_(comm), source_(source), destination_(destination), motion_(std::move(motion)), update_(how.update) {}

  const communicator& comm() const { return comm_; }
  const detail::moved_array& source() const { return source_; }
  const detail::moved_array& destination() const { return destination_; }
  const detail::erased_motion& motion() const { return motion_; }
  const std::optional<reduction>& update() const { return update_; }
  /// How elements arrive that are of another type, unless there is an update.
  const std::optional<reduction>& conversion() const { return conversion_; }

 private:
  template <class Source, class Destination>
  movement(const Source& source, Destination& destination, const movement_options& how, detail::erased_motion motion)
      : movement(source.comm(), detail::moved(source), detail::moved(destination), std::move(motion), how) {
    static_assert(detail::is_writable<Destination>, "a const array is read-only: nothing can be moved into it");
    using from = std::remove_const_t<typename Source::element_type>;
    using to = std::remove_const_t<typename Destination::element_type>;
    if constexpr (!std::is_same_v<from, to>) conversion_ = convert<to, from>();
  }

  communicator comm_;
  detail::moved_array source_, destination_;
  detail::erased_motion motion_;
  std::optional<reduction> update_, conversion_;
};

/// What moves at once.
using mover_stage = std::vector<movement>;

/// What moves one after the other. A type of its own, so that no brace more or less turns "at once" into this.
class mover_stages {
 public:
  mover_stages(std::initializer_list<mover_stage> stages);
  explicit mover_stages(std::vector<mover_stage> stages);
  std::span<const mover_stage> list() const;

 private:
  std::vector<mover_stage> list_;
};

}  // namespace wherry
