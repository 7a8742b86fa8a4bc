/// @file
/// Halo exchange on unstructured meshes and sparse matrices, by lists of indices (GCL, section 1: layer L1).
///
///     auto lists = wherry::resolve_ghosts(comm, ghosts);       // or index lists of your own
///     wherry::index_exchange exchange(comm, lists, pressure, velocity);
///     exchange();
///
/// For regular grids use `halo_exchange`. If a rank has several parts of a mesh, `index_array` with a `mover`
/// (motion/index_mover.hpp) is the general tool.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/halo/index_lists.hpp"
#include "wherry/transport/bound_pattern.hpp"

namespace wherry {

/// The elements of all arrays from `begin` to `end`, the end excluded, that are sent when they are ready.
struct index_part {
  index_t begin = 0, end = 0;
};

/// Options of an index exchange. All but `parts`, `carry.team` and `carry.name` must be the same on all ranks.
struct index_options {
  /// Reverses the exchange: ghosts travel to their owners. If an element has several ghosts, an `update` must combine
  /// them. The ghosts keep their values.
  bool reverse = false;
  /// Combines arriving elements with those at the destination instead of storing them, such as `std::plus<>{}`,
  /// `maximum{}`, or a function of two elements (plan/reduction.hpp).
  std::optional<reduction> update{};
  /// Combines each element with all its ghosts and gives the result to all of them, with the same bits. Excludes
  /// `reverse`, `update`, `parts` and `carry.snapshot`.
  std::optional<reduction> combine_copies{};
  /// Ranges of elements that `start_in_parts` sends one by one, each when `ready` is called for it. Parts must not
  /// overlap, and elements in no part are always ready. A message is sent when the last part with elements in it is
  /// ready, so a numbering that keeps sent elements together lets messages leave early. From the start on, the exchange
  /// may write the elements that are received, so the computation must neither read nor write them.
  std::vector<index_part> parts{};
  carry_options carry{};  ///< the transport, and other things that change how data travels, but not where to
};

namespace detail {

/// Calls `visit` with the erased form of an array, whose elements are numbered from 0. An element may be a struct.
template <class T, class Visit> void visit_indexed(std::span<T> array, Visit&& visit) {
  static_assert(!std::is_const_v<T>, "a const array is read-only: its ghosts cannot be filled");
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  constexpr auto size = static_cast<index_t>(sizeof(T));
  visit(index_field{"", const_cast<std::remove_const_t<T>*>(array.data()), size, size,
                    static_cast<index_t>(array.size()), memory_space::host, plans::element_of<T>()});
}
template <class T, class Memory, class Visit> void visit_indexed(std::vector<T, Memory>& array, Visit&& visit) {
  visit_indexed(std::span<T>(array), visit);
}
template <class T, class Memory, class Visit> void visit_indexed(const std::vector<T, Memory>& array, Visit&& visit) {
  visit_indexed(std::span<const T>(array), visit);
}
template <class T, class Visit> void visit_indexed(const view<T, 1>& array, Visit&& visit) {
  visit_indexed(std::span<T>(array.data, static_cast<std::size_t>(array.extents[0])), [&](index_field field) {
    field.stride = array.strides[0] * field.element;
    field.space = array.space;
    visit(field);
  });
}
/// The overload for arrays with several components: dimension 0 counts the components, dimension 1 the elements. Calls
/// `visit` once if the components of an element are adjacent, and otherwise once for each component.
template <class T, class Visit> void visit_indexed(const view<T, 2>& array, Visit&& visit) {
  // A single element of an array whose components are apart has both strides 1.
  const bool together = array.strides[0] == 1 && (array.extents[0] == 1 || array.strides[1] != 1);
  for (index_t c = 0; c < (together ? 1 : array.extents[0]); ++c) {
    const view<T, 1> one(array.data + c * array.strides[0], point<1>{array.extents[1]}, point<1>{array.strides[1]},
                         array.space);
    visit_indexed(one, [&](index_field field) {
      if (together) field.element *= array.extents[0];
      visit(field);
    });
  }
}

}  // namespace detail

/// Stands for an array of `count` elements that each `start` passes.
/// @param space `node_shared` if the arrays will be in node-shared memory, as `node_vector`s are; they are then read in
///        place if that is faster
template <class T> view<T, 1> later_array(index_t count, memory_space space = memory_space::host) {
  return {nullptr, point<1>{count}, point<1>{1}, space};
}

/// A type that an index exchange takes: a vector, a span, or a view of one or two dimensions.
template <class Array>
concept indexed_array = requires(Array& array) { detail::visit_indexed(array, [](const detail::index_field&) {}); };

namespace detail {

/// The arrays for which an index exchange was made, and the addresses for the next start.
class bound_arrays {
 public:
  explicit bound_arrays(std::vector<index_field> arrays, int rank);

  /// True if no array is still to come with a start.
  bool complete() const;
  /// Sets array `place` of the next start.
  /// @param argument index of the argument of `start` that the array belongs to, for error texts
  /// @throws error(argument) if the shape differs from the one that was bound.
  void replace(std::size_t place, const index_field& given, int argument) {
    if (place >= arrays_.size()) return;  // another number of arrays: `start` says so
    if (!same_shape(given, arrays_[place])) refuse(given, arrays_[place], argument);
    table_[place] = address(given);
  }
  std::span<void* const> table() const;
  std::size_t size() const { return table_.size(); }

 private:
  /// Compares the memory space only for device memory, because the exchange finds out from a pointer where host memory
  /// is.
  static bool same_shape(const index_field& given, const index_field& bound) {
    return given.element == bound.element && given.stride == bound.stride && given.count == bound.count &&
           plans::fits(given.type, bound.type) &&
           (given.space != memory_space::device || bound.space == memory_space::device);
  }
  static void* address(const index_field& array);
  [[noreturn]] void refuse(const index_field& given, const index_field& wanted, int argument) const;

  std::vector<index_field> arrays_;
  std::vector<void*> table_;
  int rank_;
};

}  // namespace detail

/// Index lists that have been planned once, for arrays of certain shapes. Any number of exchanges can be bound to a
/// plan, and they may be in flight independently of each other:
///
///     wherry::index_plan plan(comm, lists, wherry::later_array<double>(count));
///     wherry::index_exchange first(plan), second(plan, x);
///
/// A plan is a handle: copies refer to the same plan.
class index_plan {
 public:
  /// Collective over `comm`. Every rank passes its lists and its part of the same arrays, or `later_array` for arrays
  /// that each `start` passes.
  /// @throws error(argument) on all ranks alike for an index outside its array, a peer that is not a rank, or parts
  ///         that overlap or have no elements; error(mismatch) if options or the number of arrays differ between ranks.
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_plan(const communicator& comm, const index_lists& lists, Arrays&&... arrays)
      : index_plan(comm, lists, index_options{}, join_indexed(arrays...)) {}
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_plan(const communicator& comm, const index_lists& lists, const index_options& options, Arrays&&... arrays)
      : index_plan(comm, lists, options, join_indexed(arrays...)) {}
  /// The constructor for arrays with erased types, as language bindings use it.
  index_plan(const communicator& comm, const index_lists& lists, const index_options& options,
             std::vector<detail::index_field> fields);

  // Not movable, so that every handle has a plan.
  index_plan(const index_plan&) = default;
  index_plan& operator=(const index_plan&) = default;

  const communicator& comm() const;
  const wherry::plans::schedule& schedule() const;

  /// The erased forms of all arrays.
  template <class... Arrays> static std::vector<detail::index_field> join_indexed(Arrays&... arrays) {
    std::vector<detail::index_field> all;
    const auto append = [&all](const detail::index_field& one) { all.push_back(one); };
    (detail::visit_indexed(arrays, append), ...);
    return all;
  }

 private:
  friend class index_exchange;
  struct planned;
  std::shared_ptr<const planned> planned_;
};

/// An exchange that fills the ghosts of arrays from their owners, or with `reverse` moves ghosts to their owners. Any
/// number of arrays of any element types travel together over the same lists. Movable.
///
/// An array is a `std::vector`, a `std::span`, a `view` of one dimension, or a `view` of two dimensions (components,
/// elements), and its elements must not be const. `later_array<double>(count)` stands for an array that each `start`
/// passes.
class index_exchange : public bound_pattern {
 public:
  /// Collective over `comm`. Every rank passes its lists and its part of the same arrays.
  /// @throws error on all ranks alike as `index_plan`, and error(mismatch) if the lists of two ranks differ in length.
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_exchange(const communicator& comm, const index_lists& lists, Arrays&&... arrays)
      : index_exchange(index_plan(comm, lists, arrays...)) {}
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_exchange(const communicator& comm, const index_lists& lists, const index_options& options, Arrays&&... arrays)
      : index_exchange(index_plan(comm, lists, options, arrays...)) {}
  /// The constructor for arrays with erased types, as language bindings use it.
  index_exchange(const communicator& comm, const index_lists& lists, const index_options& options,
                 std::vector<detail::index_field> fields)
      : index_exchange(index_plan(comm, lists, options, std::move(fields))) {}
  /// Binds a plan. The first start uses the plan's arrays or, if arrays are given, these, which must have the same
  /// shapes. Collective over the plan's communicator.
  /// @throws error(mismatch) on all ranks alike if the lists of two ranks differ in length.
  explicit index_exchange(const index_plan& plan);
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  explicit index_exchange(const index_plan& plan, Arrays&&... arrays) : index_exchange(plan) {
    require(replace(arrays...));
    exchange_.set_fields(arrays_.table());
  }

  using bound_pattern::start;
  /// Starts with other arrays of the same shapes. Allocates nothing.
  /// @throws error(argument) on this rank, before anything moves, for another number of arrays or an array with another
  ///         length, stride or element type. The text names the argument and both figures.
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start(Arrays&&... arrays) {
    require(replace(arrays...));
    exchange_.start(arrays_.table());
  }
  /// Starts, but sends the elements of each of `index_options::parts` only after `ready(part)` has been called:
  ///     exchange.start_in_parts(x);
  ///     #pragma omp parallel for
  ///     for (int p = 0; p < parts; ++p) { compute(p); exchange.ready(p); }
  ///     exchange.wait();
  /// See `exchange::ready`.
  /// @throws error(state) on this rank if there are no parts; error(argument) as `start`.
  using bound_pattern::start_in_parts;
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start_in_parts(Arrays&&... arrays) {
    require(replace(arrays...));
    exchange_.start_in_parts(arrays_.table());
  }
  using bound_pattern::operator();
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  void operator()(Arrays&&... arrays) {
    start(arrays...);
    wait();
  }

 private:
  /// Puts the arrays into the table and returns their number.
  template <class... Arrays> std::size_t replace(Arrays&... arrays) {
    std::size_t next = 0;
    int argument = 0;
    const auto place = [&](auto& array) {
      detail::visit_indexed(array, [&](const detail::index_field& field) { arrays_.replace(next++, field, argument); });
      ++argument;
    };
    (place(arrays), ...);
    return next;
  }
  /// @throws error(argument) unless `given` is the plan's number of arrays.
  void require(std::size_t given) const {
    if (given != arrays_.size()) refuse(given);
  }
  [[noreturn]] void refuse(std::size_t given) const;

  detail::bound_arrays arrays_;
};

}  // namespace wherry
