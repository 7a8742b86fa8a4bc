/// @file
/// The facts that a reader needs about a type behind pointers, as data: the code of the reader is then compiled once
/// instead of once for each type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/detail/shared_table.hpp"

namespace wherry::deep {

class reader;

/// The facts about one type.
struct object_type {
  const char* mark;   ///< its address represents the type in the table of shared objects
  std::size_t bytes;  ///< 0 for an abstract class
  std::size_t alignment;
  std::size_t least;           ///< the fewest bytes of an object in a stream
  std::size_t before_array;    ///< see `bytes_before_array`
  std::size_t innermost;       ///< bytes of the innermost element, if the type is an array
  const std::type_info* base;  ///< null unless polymorphic

  /// Allocates memory as `new` does; null for a type that global `new` allocates, with the usual alignment.
  void* (*allocate)(std::size_t n, bool is_array);
  /// `new T()`, for a type with std::enable_shared_from_this: its object is made before its members arrive. Null for
  /// others.
  void* (*make)();
  void (*defer_members)(reader&, void*);

  /// Performs a stack item that still has objects to make.
  void (*values)(reader&);
  /// Makes `n` objects at once.
  void (*at_once)(reader&, void* first, std::size_t n);

  void (*visit)(detail::destroyer&, void*);
  void (*free)(void*);
};

namespace detail {

template <class T> void* allocate_as_new(std::size_t n, bool is_array) {
  return is_array ? allocate_array<T>(n) : allocate_object<T>();
}
template <class T> void delete_object(void* p) {
  std::destroy_at(static_cast<T*>(p));
  free_object(static_cast<T*>(p));
}
template <class T> void visit_object(destroyer& d, void* p) { d.outside_arena(static_cast<T*>(p)); }

template <class T> constexpr bool allocated_as_usual = !with_own_new<T> && !with_own_array_new<T> && !over_aligned<T>;

}  // namespace detail

}  // namespace wherry::deep
