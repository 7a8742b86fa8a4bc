/// @file
/// What a reader must know of a type behind pointers, as data: the reader's own code is there once, not once a type.
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

struct object_type {
  const char* mark;   ///< its address stands for the type in the table of shared objects
  std::size_t bytes;  ///< 0: abstract
  std::size_t alignment;
  std::size_t least;           ///< bytes of a stream
  std::size_t before_array;    ///< see `bytes_before_array`
  std::size_t innermost;       ///< bytes of an element, where that is an array
  const std::type_info* base;  ///< null unless polymorphic

  /// As `new` takes it; null: as global `new` does, aligned as usual.
  void* (*allocate)(std::size_t n, bool is_array);
  /// `new T()`, of a type that knows its owner, which may come before its members do; null for others.
  void* (*make)();
  void (*defer_members)(reader&, void*);

  /// Works off an item whose objects are to be made.
  void (*values)(reader&);
  /// Makes objects at once.
  void (*at_once)(reader&, void* first, std::size_t n);

  void (*visit)(destroyer&, void*);
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
