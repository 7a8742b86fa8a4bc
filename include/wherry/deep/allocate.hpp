/// @file
/// Memory for single objects and arrays behind raw pointers, and how it is given back.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "wherry/deep/arena.hpp"

namespace wherry::deep {

namespace detail {

template <class T> constexpr bool over_aligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
template <class T>
concept with_own_new = requires { T::operator new(sizeof(T)); };
template <class T>
concept with_own_array_new = requires { T::operator new[](sizeof(T)); };
template <class T>
concept with_own_array_delete = requires(void* p) { T::operator delete[](p); };
template <class T>
concept with_own_delete = requires(void* p) { T::operator delete(p); };

}  // namespace detail

/// Raw memory as `new T` takes it, so that `delete` gives it back.
template <class T> T* allocate_object() {
  if constexpr (detail::with_own_new<T>)
    return static_cast<T*>(T::operator new(sizeof(T)));
  else if constexpr (detail::over_aligned<T>)
    return static_cast<T*>(::operator new(sizeof(T), std::align_val_t{alignof(T)}));
  else
    return static_cast<T*>(::operator new(sizeof(T)));
}
/// Raw memory of `n` objects; a single one comes from `allocate_object`. For types without a destructor of their own
/// `delete[]` gives it back; otherwise `deep::destroy(p, n)` does, because `delete[]` looks for a count before the
/// array.
template <class T> T* allocate_array(std::size_t n) {
  if (n == 1) return allocate_object<T>();
  if constexpr (detail::with_own_array_new<T>)
    return static_cast<T*>(T::operator new[](n * sizeof(T)));
  else if constexpr (detail::over_aligned<T>)
    return static_cast<T*>(::operator new[](n * sizeof(T), std::align_val_t{alignof(T)}));
  else
    return static_cast<T*>(::operator new[](n * sizeof(T)));
}
template <class T> T* arena_array(arena& from, std::size_t n) {
  return static_cast<T*>(from.take(n * sizeof(T), alignof(T)));
}

/// Gives back memory without destroying what is in it.
template <class T> void free_array(T* p, std::size_t n) {
  void* memory = const_cast<std::remove_cv_t<T>*>(p);
  if (n == 1) {
    if constexpr (detail::with_own_delete<T>)
      T::operator delete(memory);
    else if constexpr (detail::over_aligned<T>)
      ::operator delete(memory, std::align_val_t{alignof(T)});
    else
      ::operator delete(memory);
  } else {
    if constexpr (detail::with_own_array_delete<T>)
      T::operator delete[](memory);
    else if constexpr (detail::over_aligned<T>)
      ::operator delete[](memory, std::align_val_t{alignof(T)});
    else
      ::operator delete[](memory);
  }
}

}  // namespace wherry::deep
