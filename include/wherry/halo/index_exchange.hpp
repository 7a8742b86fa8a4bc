/// @file
/// Halo exchange on unstructured meshes: by lists of indices (paper 1, section 1: the layer L1).
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

/// Elements of all arrays, from `begin` to before `end`, that become ready by themselves.
struct index_part {
  index_t begin = 0, end = 0;
};

/// What can be said of an index exchange beyond its lists and arrays. Must be the same on all ranks, but for `parts`
/// and what `carry` lets differ.
struct index_options {
  /// The other way round: ghosts travel back to their owners. Where an element has several ghosts an `update` must
  /// combine them.
  bool reverse = false;
  /// Combine what arrives with what is there instead of storing it: `add<double>()`, or a function of your own.
  std::optional<reduction> update{};
  /// Elements that become ready one after the other, by `start_in_parts` and `ready`; no element is in two of them, and
  /// what no part has is always ready. A message leaves with the last part that it has elements of: rows numbered so
  /// that those which leave stand together let it leave early. What arrives may be written, or combined, from the start
  /// on: what is computed meanwhile must not read or write those elements.
  std::vector<index_part> parts{};
  carry_options carry{};
};

/// Calls `visit` with an array whose elements are numbered from 0, types erased. One element may be a struct.
template <class T, class Visit> void visit_indexed(std::span<T> array, Visit&& visit) {
  static_assert(!std::is_const_v<T>, "a const array is read-only: its ghosts cannot be filled");
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  constexpr auto size = static_cast<index_t>(sizeof(T));
  visit(index_field{"", const_cast<std::remove_const_t<T>*>(array.data()), size, size,
                    static_cast<index_t>(array.size()), memory_space::host, element_of<T>()});
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
/// Several components an element: dimension 0 counts the components, dimension 1 the elements; any layout. Once for
/// all components that stand together, else once for each.
template <class T, class Visit> void visit_indexed(const view<T, 2>& array, Visit&& visit) {
  const bool together = array.strides[0] == 1;
  for (index_t c = 0; c < (together ? 1 : array.extents[0]); ++c) {
    const view<T, 1> one(array.data + c * array.strides[0], point<1>{array.extents[1]}, point<1>{array.strides[1]},
                         array.space);
    visit_indexed(one, [&](index_field field) {
      if (together) field.element *= array.extents[0];
      visit(field);
    });
  }
}

/// Stands for an array of so many elements that comes with each start.
/// @param space `node_shared`: the arrays will be such as `node_vector`s are, and are read in place where that pays
template <class T> view<T, 1> later(index_t count, memory_space space = memory_space::host) {
  return {nullptr, point<1>{count}, point<1>{1}, space};
}

/// What `visit_indexed` takes.
template <class Array>
concept indexed_array = requires(Array& array) { visit_indexed(array, [](const index_field&) {}); };

namespace detail {

/// The arrays that an index exchange was made for, and those of the next start.
class bound_arrays {
 public:
  explicit bound_arrays(std::vector<index_field> arrays, int rank);

  /// Are all of them there, or does one come later?
  bool complete() const;
  /// Array `place` of the next start. @param argument which of start's it belongs to
  /// @throws error(argument) where it has another shape than the one that was bound.
  void replace(std::size_t place, const index_field& given, int argument) {
    if (place >= arrays_.size()) return;  // another number of arrays: `start` says so
    if (!same_shape(given, arrays_[place])) refuse(given, arrays_[place], argument);
    table_[place] = address(given);
  }
  std::span<void* const> table() const;
  std::size_t size() const { return table_.size(); }

 private:
  /// Where `given` is the exchange sees by its pointer, if nobody has said it.
  static bool same_shape(const index_field& given, const index_field& bound) {
    return given.element == bound.element && given.stride == bound.stride && given.count == bound.count &&
           fits(given.type, bound.type) && (given.space != memory_space::device || bound.space == memory_space::device);
  }
  static void* address(const index_field& array);
  [[noreturn]] void refuse(const index_field& given, const index_field& wanted, int argument) const;

  std::vector<index_field> arrays_;
  std::vector<void*> table_;
  int rank_;
};

}  // namespace detail

/// Lists planned for arrays of some shapes, once. Any number of exchanges can be bound to it, without planning again,
/// which are in flight independently of one another. A handle: copies are the same plan.
///
///     wherry::index_plan plan(comm, lists, wherry::later<double>(count));
///     wherry::index_exchange first(plan), second(plan, x);
class index_plan {
 public:
  /// Collective; every rank passes its lists and its part of the same arrays, or `later` for those to come.
  /// @throws error on all ranks alike: argument (an index outside its array, a peer that is none, parts that overlap or
  ///         have no elements)
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_plan(const communicator& comm, const index_lists& lists, Arrays&&... arrays)
      : index_plan(comm, lists, index_options{}, join_indexed(arrays...)) {}
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_plan(const communicator& comm, const index_lists& lists, const index_options& options, Arrays&&... arrays)
      : index_plan(comm, lists, options, join_indexed(arrays...)) {}
  /// The same with types erased.
  index_plan(const communicator& comm, const index_lists& lists, const index_options& options,
             std::vector<index_field> fields);

  // No moves, so that none is ever without a plan.
  index_plan(const index_plan&) = default;
  index_plan& operator=(const index_plan&) = default;

  const communicator& comm() const;
  const wherry::schedule& schedule() const;

  /// All arrays, types erased.
  template <class... Arrays> static std::vector<index_field> join_indexed(Arrays&... arrays) {
    std::vector<index_field> all;
    const auto append = [&all](const index_field& one) { all.push_back(one); };
    (visit_indexed(arrays, append), ...);
    return all;
  }

 private:
  friend class index_exchange;
  struct planned;
  std::shared_ptr<const planned> planned_;
};

/// Fills the ghosts of arrays from their owners, or the other way round. Any number of arrays of any
/// element types over the same lists travel together. Movable.
///
///     auto lists = wherry::resolve_ghosts(comm, ghosts);       // or lists of your own
///     wherry::index_exchange exchange(comm, lists, pressure, velocity);
///     exchange();
///
/// An array is a `std::vector`, a `std::span`, a `view` of one dimension, or one of two (components, elements); not a
/// const one. Or there is none yet, `later<double>(count)`: then each start brings its own.
class index_exchange : public bound_pattern {
 public:
  /// Collective; every rank passes its lists and its part of the same arrays.
  /// @throws error on all ranks alike: argument (an index outside its array, a peer that is none), mismatch (lists of
  ///         two ranks that differ in length).
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_exchange(const communicator& comm, const index_lists& lists, Arrays&&... arrays)
      : index_exchange(index_plan(comm, lists, arrays...)) {}
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  index_exchange(const communicator& comm, const index_lists& lists, const index_options& options, Arrays&&... arrays)
      : index_exchange(index_plan(comm, lists, options, arrays...)) {}
  /// The same with types erased.
  index_exchange(const communicator& comm, const index_lists& lists, const index_options& options,
                 std::vector<index_field> fields)
      : index_exchange(index_plan(comm, lists, options, std::move(fields))) {}
  /// Collective. Binds what has been planned; the first start is with the plan's arrays, or these of the same shapes.
  explicit index_exchange(const index_plan& plan);
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  explicit index_exchange(const index_plan& plan, Arrays&&... arrays) : index_exchange(plan) {
    require(replace(arrays...));
    exchange_.set_fields(arrays_.table());
  }

  using bound_pattern::start;
  /// Starts with other arrays of the same shapes; allocates nothing.
  /// @throws error(argument) on this rank, before anything moves, for an array of another length, stride or element,
  ///         naming the argument and both figures.
  template <indexed_array... Arrays>
    requires(sizeof...(Arrays) > 0)
  void start(Arrays&&... arrays) {
    require(replace(arrays...));
    exchange_.start(arrays_.table());
  }
  /// Begins; but what `index_options::parts` have leaves only when `ready(part)` says that it is computed:
  ///     exchange.start_in_parts(x);
  ///     #pragma omp parallel for
  ///     for (int p = 0; p < parts; ++p) { compute(p); exchange.ready(p); }
  ///     exchange.wait();
  /// `exchange::ready` says more.
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
  /// How many there are.
  template <class... Arrays> std::size_t replace(Arrays&... arrays) {
    std::size_t next = 0;
    int argument = 0;
    const auto place = [&](auto& array) {
      visit_indexed(array, [&](const index_field& field) { arrays_.replace(next++, field, argument); });
      ++argument;
    };
    (place(arrays), ...);
    return next;
  }
  /// @throws error(argument) for another number of arrays than the plan has.
  void require(std::size_t given) const {
    if (given != arrays_.size()) refuse(given);
  }
  [[noreturn]] void refuse(std::size_t given) const;

  detail::bound_arrays arrays_;
};

}  // namespace wherry
