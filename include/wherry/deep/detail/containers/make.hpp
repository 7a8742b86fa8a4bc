/// @file
/// Makes empty containers in raw memory with the right allocator, and sees to their destruction in an arena.
#pragma once

#include <concepts>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <utility>

namespace wherry::deep {

/// A container with a std::pmr::polymorphic_allocator.
template <class T>
concept with_memory_resource = requires(T& x) {
  { x.get_allocator().resource() } -> std::convertible_to<std::pmr::memory_resource*>;
};

}  // namespace wherry::deep

namespace wherry::deep::detail {

/// True for a type that must be destroyed even in an arena, because it owns memory elsewhere.
template <class T> constexpr bool owns_elsewhere = !std::is_trivially_destructible_v<T>;
template <class T>
  requires with_memory_resource<T>
constexpr bool owns_elsewhere<T> = owns_elsewhere<typename T::value_type>;
template <class A, class B> constexpr bool owns_elsewhere<std::pair<A, B>> = owns_elsewhere<A> || owns_elsewhere<B>;

/// If `x` lies in an arena, makes the arena destroy it, because no owner does.
template <class Reader, class T> T* in_its_place(Reader& r, T* x) {
  if constexpr (owns_elsewhere<T>) {
    if (r.in_arena()) r.destroy_with_arena(x, [](void* object) { std::destroy_at(static_cast<T*>(object)); });
  }
  return x;
}

/// Makes an empty container. An exception here ends the program, because the reader cannot go on without the container
/// (even an empty deque allocates).
template <class Reader, class T> T* make_container(Reader& r, T* raw) noexcept {
  if constexpr (with_memory_resource<T>)
    return in_its_place(r, ::new (static_cast<void*>(raw)) T(typename T::allocator_type(r.resource())));
  else
    return in_its_place(r, ::new (static_cast<void*>(raw)) T());
}

}  // namespace wherry::deep::detail
