/// @file
/// Allocates memory for objects and arrays behind raw pointers in such a way that `delete` and `delete[]` can free it.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "wherry/core/checked.hpp"
#include "wherry/core/plain_algorithms.hpp"
#include "wherry/deep/arena.hpp"

namespace wherry::deep {

namespace detail {

template <class T> constexpr bool over_aligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
template <class T>
concept with_own_new = requires { T::operator new(sizeof(T)); };
template <class T>
concept with_own_array_new = requires { T::operator new[](sizeof(T)); };
// If a class has both forms of `operator delete`, the language uses the one without the size.
template <class T>
concept with_own_delete = requires(void* p) { T::operator delete(p); };
template <class T>
concept with_own_sized_delete = !with_own_delete<T> && requires(void* p) { T::operator delete(p, sizeof(T)); };
template <class T>
concept with_own_array_delete = requires(void* p) { T::operator delete[](p); };
template <class T>
concept with_own_sized_array_delete =
    !with_own_array_delete<T> && requires(void* p) { T::operator delete[](p, sizeof(T)); };

/// True if `delete[]` must know the length of the array.
template <class T> constexpr bool counts_array = !std::is_trivially_destructible_v<T> || with_own_sized_array_delete<T>;

}  // namespace detail

/// The number of bytes that `new T[n]` allocates before the array. If `delete[]` must know the length, it is stored
/// right before the array (Itanium C++ ABI, 2.7: all systems but Windows). Specialise as 0 for a class whose arrays do
/// not come from `new`. `T` is not an array.
template <class T>
inline constexpr std::size_t bytes_before_array =
    detail::counts_array<T> ? wherry::detail::most(sizeof(std::size_t), alignof(T)) : 0;

namespace detail {

/// The innermost element of an array type: `new` and `delete[]` see arrays of arrays as arrays of these.
template <class T> using innermost = std::remove_all_extents_t<T>;
template <class T> constexpr std::size_t bytes_before = bytes_before_array<innermost<T>>;

/// The bytes of `n` objects, for the text of an error; the largest number if the product overflows.
template <class T> constexpr std::size_t about_bytes(std::size_t n) {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(n, sizeof(T), &bytes) ? static_cast<std::size_t>(-1) : bytes;
}

/// The bytes of `new T[n]`.
/// @throws error(argument) if they do not fit in a std::size_t
template <class T> std::size_t bytes_of_array(std::size_t n) {
  constexpr wherry::detail::checked bytes{"deep copy", "size of an array in bytes"};
  return bytes.sum(bytes_before<T>, bytes.product(n, sizeof(T)));
}

/// Allocates raw memory as `new T` does, so that `delete` can free it.
/// @throws std::bad_alloc, or as the class's own `operator new` does
template <class T> T* allocate_object() {
  if constexpr (detail::with_own_new<T>)
    return static_cast<T*>(T::operator new(sizeof(T)));
  else if constexpr (detail::over_aligned<T>)
    return static_cast<T*>(::operator new(sizeof(T), std::align_val_t{alignof(T)}));
  else
    return static_cast<T*>(::operator new(sizeof(T)));
}
/// Allocates raw memory for `n` objects as `new T[n]` does, so that `delete[]` can free it.
/// @throws std::bad_alloc, or as the class's own `operator new[]` does; error(argument) if the length overflows
template <class T> T* allocate_array(std::size_t n) {
  constexpr std::size_t before = detail::bytes_before<T>;
  const std::size_t bytes = detail::bytes_of_array<T>(n);
  std::byte* memory;
  if constexpr (detail::with_own_array_new<T>)
    memory = static_cast<std::byte*>(T::operator new[](bytes));
  else if constexpr (detail::over_aligned<T>)
    memory = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{alignof(T)}));
  else
    memory = static_cast<std::byte*>(::operator new[](bytes));
  if constexpr (before > 0) {
    const std::size_t elements = n * (sizeof(T) / sizeof(detail::innermost<T>));
    std::memcpy(memory + before - sizeof elements, &elements, sizeof elements);
  }
  return reinterpret_cast<T*>(memory + before);
}
/// Takes raw memory for `n` objects from an arena.
/// @throws std::bad_alloc; error(argument) if the length overflows
template <class T> T* arena_array(arena& from, std::size_t n) {
  return static_cast<T*>(from.take(detail::bytes_of_array<T>(n) - detail::bytes_before<T>, alignof(T)));
}

/// Frees the memory of one object, as `delete` does, without destroying the object.
template <class T> void free_object(T* p) {
  void* const memory = const_cast<std::remove_cv_t<T>*>(p);
  if constexpr (detail::with_own_delete<T>)
    T::operator delete(memory);
  else if constexpr (detail::with_own_sized_delete<T>)
    T::operator delete(memory, sizeof(T));
  else if constexpr (detail::over_aligned<T>)
    ::operator delete(memory, std::align_val_t{alignof(T)});
  else
    ::operator delete(memory);
}
/// Frees the memory of an array of `n` objects, as `delete[]` does, without destroying them.
template <class T> void free_array(T* p, std::size_t n) {
  void* const memory = reinterpret_cast<std::byte*>(const_cast<std::remove_cv_t<T>*>(p)) - detail::bytes_before<T>;
  if constexpr (detail::with_own_array_delete<T>)
    T::operator delete[](memory);
  else if constexpr (detail::with_own_sized_array_delete<T>)
    T::operator delete[](memory, detail::bytes_of_array<T>(n));
  else if constexpr (detail::over_aligned<T>)
    ::operator delete[](memory, std::align_val_t{alignof(T)});
  else
    ::operator delete[](memory);
}

}  // namespace detail

}  // namespace wherry::deep
