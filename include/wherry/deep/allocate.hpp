/// @file
/// Memory for single objects and arrays behind raw pointers, and how it is given back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
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

/// `new T[n]` begins so many bytes before the array, and writes right before it how long it is, where `delete[]` has to
/// know (Itanium C++ ABI, 2.7: compilers on all systems but Windows). Specialise as 0 for a class whose arrays do not
/// come from `new`.
template <class T>
inline constexpr std::size_t bytes_before_array =
    std::is_trivially_destructible_v<T> ? 0 : std::max(sizeof(std::size_t), alignof(T));

/// Raw memory as `new T` takes it, so that `delete` gives it back.
template <class T> T* allocate_object() {
  if constexpr (detail::with_own_new<T>)
    return static_cast<T*>(T::operator new(sizeof(T)));
  else if constexpr (detail::over_aligned<T>)
    return static_cast<T*>(::operator new(sizeof(T), std::align_val_t{alignof(T)}));
  else
    return static_cast<T*>(::operator new(sizeof(T)));
}
/// Raw memory as `new T[n]` takes it, so that `delete[]` gives it back.
template <class T> T* allocate_array(std::size_t n) {
  constexpr std::size_t before = bytes_before_array<T>;
  const std::size_t bytes = before + n * sizeof(T);
  std::byte* memory;
  if constexpr (detail::with_own_array_new<T>)
    memory = static_cast<std::byte*>(T::operator new[](bytes));
  else if constexpr (detail::over_aligned<T>)
    memory = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{alignof(T)}));
  else
    memory = static_cast<std::byte*>(::operator new[](bytes));
  if constexpr (before > 0) std::memcpy(memory + before - sizeof n, &n, sizeof n);
  return reinterpret_cast<T*>(memory + before);
}
template <class T> T* arena_array(arena& from, std::size_t n) {
  return static_cast<T*>(from.take(n * sizeof(T), alignof(T)));
}

/// Gives back memory of one object, or of an array, without destroying what is in it.
template <class T> void free_object(T* p) {
  void* const memory = const_cast<std::remove_cv_t<T>*>(p);
  if constexpr (detail::with_own_delete<T>)
    T::operator delete(memory);
  else if constexpr (detail::over_aligned<T>)
    ::operator delete(memory, std::align_val_t{alignof(T)});
  else
    ::operator delete(memory);
}
template <class T> void free_array(T* p) {
  void* const memory = reinterpret_cast<std::byte*>(const_cast<std::remove_cv_t<T>*>(p)) - bytes_before_array<T>;
  if constexpr (detail::with_own_array_delete<T>)
    T::operator delete[](memory);
  else if constexpr (detail::over_aligned<T>)
    ::operator delete[](memory, std::align_val_t{alignof(T)});
  else
    ::operator delete[](memory);
}

}  // namespace wherry::deep
