/// @file
/// Movements: the entries of the lists that a mover carries, each a motion between two arrays. See mover.hpp for their
/// use. The array's types are erased here, so that all code below is compiled once.
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

namespace plans {

class schedule_builder;

}  // namespace plans

/// Options of one movement. They must be the same on all ranks.
struct movement_options {
  /// Combines arriving elements with those at the destination instead of storing them, such as `std::plus<>{}`,
  /// `maximum{}`, or a function of two elements (plan/reduction.hpp).
  std::optional<reduction> update{};
};

namespace detail {

/// An array in the form that movers use. Refers to the array.
struct moved_array {
  const void* shape = nullptr;  ///< identifies the array
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

/// True for an x-array of N dimensions, or for an index array of `Domain`; const or not.
template <class Array, int N> inline constexpr bool is_x_array = false;
template <class T, int N> inline constexpr bool is_x_array<x_array<T, N>, N> = true;
template <class T, int N> inline constexpr bool is_x_array<const x_array<T, N>, N> = true;
template <class Array, class Domain> inline constexpr bool is_index_array = false;
template <class T, class Domain> inline constexpr bool is_index_array<index_array<T, Domain>, Domain> = true;
template <class T, class Domain> inline constexpr bool is_index_array<const index_array<T, Domain>, Domain> = true;

/// True if the array may be a destination.
template <class Array>
inline constexpr bool is_writable = !std::is_const_v<Array> && !std::is_const_v<typename Array::element_type>;

/// The properties of an array that ranks compare and that enter schedules. Refers to the array's shape.
struct array_facts {
  index_t element = 1;  ///< bytes
  plans::element_type type{};
  int components = 1;
  std::string_view name{};
  memory_space space = memory_space::host;
  std::span<const index_t> bytes{};  ///< the size of each piece of memory
  int dimensions = 0;                ///< 0 for an index domain
  int boxes = 0;                     ///< number of boxes of the floor plan
  std::array<int, max_dimensions> layout{};
  bool interleaved = false;  ///< only of index arrays
  std::uint64_t floor = 0;   ///< fingerprint of a complete floor plan, equal on all ranks; 0 for a partial one
  /// Returns a name and a value for each part of the floor plan, for error texts. May be null.
  std::function<std::vector<std::pair<std::string, std::string>>()> parts_of_floor{};
};

/// Where and how a movement is added to a schedule.
struct inspection {
  plans::schedule_builder& into;
  int rank = 0;
  std::int32_t source_field = 0, destination_field = 0;  ///< field numbers of the arrays' first pieces of memory
  bool endogenous = false;                               ///< source and destination are the same array
  bool combines = false;
  std::uint64_t number = 0;  ///< the movement's number, by which the blocks of a message are sorted first
  std::int64_t packet_bytes = 0;
  std::string_view whose{};  ///< the movement's name in error texts; empty if there is only one
};

/// The motions of a movement with the kind of index space erased.
struct erased_motion {
  array_facts source{}, destination{};
  std::size_t stages = 1;
  std::uint64_t word = 0;  ///< hash of the builders' arguments, which all ranks compare; 0 if there is none
  /// Adds this rank's part of a stage to a schedule. @throws error(argument)
  std::function<void(std::size_t stage, const inspection& where)> inspect{};
  /// Compares the entries of a stage with those of the other ranks. Collective over `comm`. May be null.
  std::function<void(std::size_t stage, const communicator& comm)> compare{};
};

/// Makes the erased form of motions between x-arrays. Compiled for 1 to 6 dimensions.
template <int N>
erased_motion erase(std::vector<plans::motion_builder<motion_plan<N>>> stages, const array_shape<N>& source,
                    const array_shape<N>& destination);

}  // namespace detail

/// One entry of a mover's list: the motions, their source array, their destination array, and the operation on arriving
/// elements. Write it as `{motions, source, destination}` or `{motions, source, destination, {.update = …}}`. The
/// motions are a builder, a motion plan, or a list of builders (such as `halo_stages` returns), in which each stage
/// begins when the one before has arrived.
///
/// A movement refers to the arrays and to the motion plan, which must not move until the mover is made.
class movement {
 public:
  template <class Source, class Destination, int N>
    requires detail::is_x_array<Destination, N>
  movement(std::vector<plans::motion_builder<motion_plan<N>>> stages, const x_array<Source, N>& source,
           Destination& destination, const movement_options& options = {})
      : movement(source, destination, options, detail::erase(std::move(stages), source.shape(), destination.shape())) {}
  template <class Source, class Destination, int N>
    requires detail::is_x_array<Destination, N>
  movement(const plans::motion_builder<motion_plan<N>>& motions, const x_array<Source, N>& source,
           Destination& destination, const movement_options& options = {})
      : movement(std::vector{motions}, source, destination, options) {}
  template <class Source, class Destination, int N>
    requires detail::is_x_array<Destination, N>
  movement(const motion_plan<N>& plan, const x_array<Source, N>& source, Destination& destination,
           const movement_options& options = {})
      : movement(plans::motion_builder<motion_plan<N>>::of(plan), source, destination, options) {}

  // These are the constructors for index arrays; they are defined in index_mover.hpp.
  template <class Source, class Destination, class Domain>
    requires detail::is_index_array<Destination, Domain>
  movement(std::vector<plans::motion_builder<index_motion_plan<Domain>>> stages,
           const index_array<Source, Domain>& source, Destination& destination, const movement_options& options = {});
  template <class Source, class Destination, class Domain>
    requires detail::is_index_array<Destination, Domain>
  movement(const plans::motion_builder<index_motion_plan<Domain>>& motions, const index_array<Source, Domain>& source,
           Destination& destination, const movement_options& options = {})
      : movement(std::vector{motions}, source, destination, options) {}
  template <class Source, class Destination, class Domain>
    requires detail::is_index_array<Destination, Domain>
  movement(const index_motion_plan<Domain>& plan, const index_array<Source, Domain>& source, Destination& destination,
           const movement_options& options = {})
      : movement(plans::motion_builder<index_motion_plan<Domain>>::of(plan), source, destination, options) {}

  // Not movable, so that every movement has its motions.
  movement(const movement&) = default;
  movement& operator=(const movement&) = default;

  /// Makes a movement from arrays and motions with erased types, as language bindings do.
  movement(const communicator& comm, const detail::moved_array& source, const detail::moved_array& destination,
           detail::erased_motion motion, const movement_options& options = {})
      : comm_(comm), source_(source), destination_(destination), motion_(std::move(motion)), update_(options.update) {}

  const communicator& comm() const { return comm_; }
  const detail::moved_array& source() const { return source_; }
  const detail::moved_array& destination() const { return destination_; }
  const detail::erased_motion& motion() const { return motion_; }
  const std::optional<reduction>& update() const { return update_; }
  /// The conversion of arriving elements if the arrays' element types differ. An update takes precedence.
  const std::optional<plans::typed_reduction>& conversion() const { return conversion_; }

 private:
  template <class Source, class Destination>
  movement(const Source& source, Destination& destination, const movement_options& options,
           detail::erased_motion motion)
      : movement(source.comm(), detail::moved(source), detail::moved(destination), std::move(motion), options) {
    static_assert(detail::is_writable<Destination>, "a const array is read-only: nothing can be moved into it");
    using from = std::remove_const_t<typename Source::element_type>;
    using to = std::remove_const_t<typename Destination::element_type>;
    if constexpr (!std::is_same_v<from, to>) conversion_ = convert<to, from>();
  }

  communicator comm_;
  detail::moved_array source_, destination_;
  detail::erased_motion motion_;
  std::optional<reduction> update_;
  std::optional<plans::typed_reduction> conversion_;
};

namespace detail {

/// Movements that are carried at the same time.
using mover_stage = std::vector<movement>;

}  // namespace detail

/// Stages of movements that are carried one after the other. This is a type of its own so that an additional pair of
/// braces cannot turn "at the same time" into "one after the other".
class mover_stages {
 public:
  mover_stages(std::initializer_list<detail::mover_stage> stages);
  explicit mover_stages(std::vector<detail::mover_stage> stages);
  std::span<const detail::mover_stage> list() const;

 private:
  std::vector<detail::mover_stage> list_;
};

}  // namespace wherry
