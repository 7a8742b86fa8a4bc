/// @file
/// Objects as MEL's deep copies see them: with a DeepCopy function, as a member or outside, or as plain bytes; in
/// memory from MPI_Alloc_mem.
#pragma once

#include <cstddef>
#include <list>
#include <type_traits>
#include <vector>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/describe.hpp"

#include "mel/deep/hash_map.hpp"
#include "mel/memory.hpp"

namespace MEL::Deep {

template <class TRANSPORT, class HASH_MAP = PointerHashMap> class Message;

namespace detail {

/// The transport in the type of the Message that a deep-copy function gets, whatever the real transport is.
struct traversal;

/// An external function `template <class MSG> void F(T& obj, MSG& msg)`; null: none.
template <class T, class HASH_MAP> using external = void (*)(T& obj, Message<traversal, HASH_MAP>& msg);

template <auto Function> struct constant {};
template <auto Function>
constexpr bool is_given = !std::is_same_v<constant<Function>, constant<static_cast<decltype(Function)>(nullptr)>>;

/// A class with `template <class MSG> void DeepCopy(MSG& msg)`.
template <class T>
concept deep =
    std::is_class_v<T> && requires(T& x, Message<traversal, PointerHashMap>& message) { x.DeepCopy(message); };

template <class T> struct sequence {
  using element = void;
};
template <class T> struct sequence<std::vector<T>> {
  using element = T;
};
template <class T> struct sequence<std::list<T>> {
  using element = T;
};
template <class T> using element_of = typename sequence<T>::element;
template <class T>
concept is_sequence = !std::is_void_v<element_of<T>>;

/// True if neither MEL's rules nor Wherry's say more about the type than its bytes.
template <class T> constexpr bool just_bytes = std::is_trivially_copyable_v<T> && !wherry::deep::described<T>;

/// An object with its external function; null leaves the copy to its type. It is allocated and freed as MEL requires.
template <class T, auto Function = nullptr> struct box {
  T object;

  static void* operator new(std::size_t bytes) { return MEL::detail::allocate(bytes); }
  static void* operator new[](std::size_t bytes) { return MEL::detail::allocate(bytes); }
  static void operator delete(void* memory) { MEL::detail::release(memory); }
  static void operator delete[](void* memory) { MEL::detail::release(memory); }
};

template <class T, auto Function> struct box_for {
  using type = box<T, Function>;
};
template <class T, auto Function>
  requires(!is_given<Function>)
struct box_for<T, Function> {
  using type = box<T>;
};
template <class T, auto Function> using boxed = typename box_for<T, Function>::type;

template <class Box, class T> Box* as_boxes(T* p) { return reinterpret_cast<Box*>(p); }

}  // namespace detail
}  // namespace MEL::Deep

/// `MEL::MemFree` expects no count before an array.
template <class T, auto Function>
inline constexpr std::size_t wherry::deep::bytes_before_array<MEL::Deep::detail::box<T, Function>> = 0;

/// Plain bytes, pointers included.
template <class T>
inline constexpr bool wherry::deep::is_flat<MEL::Deep::detail::box<T, nullptr>> = MEL::Deep::detail::just_bytes<T>;
