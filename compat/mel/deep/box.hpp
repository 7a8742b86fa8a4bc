/// @file
/// Objects as the paper's deep copies see them: with a DeepCopy function, inside or outside, or as mere bytes; in
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

/// Stands in a Message's type where a deep-copy function gets it, whatever the transport is.
struct traversal;

/// A global function `template <class MSG> void F(T& obj, MSG& msg)`; null: none.
template <class T, class HASH_MAP> using external = void (*)(T& obj, Message<traversal, HASH_MAP>& msg);

template <auto Function> struct constant {};
template <auto Function>
constexpr bool is_given = !std::is_same_v<constant<Function>, constant<static_cast<decltype(Function)>(nullptr)>>;

/// Has `template <class MSG> void DeepCopy(MSG& msg)`.
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

/// Neither the paper's rules nor ours say more of it than its bytes.
template <class T> constexpr bool just_bytes = std::is_trivially_copyable_v<T> && !wherry::deep::described<T>;

/// An object with the function to copy it by, which null leaves to its type. Made and freed as the paper wants it.
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

/// `MEL::MemFree` knows of no count before an array.
template <class T, auto Function>
inline constexpr std::size_t wherry::deep::bytes_before_array<MEL::Deep::detail::box<T, Function>> = 0;

/// Mere bytes, pointers among them.
template <class T>
inline constexpr bool wherry::deep::is_flat<MEL::Deep::detail::box<T, nullptr>> = MEL::Deep::detail::just_bytes<T>;
