/// @file
/// Memory from MPI_Alloc_mem, as MEL requires: memory from these calls and from deep copies can be freed by MEL and by
/// MPI_Free_mem alike. All calls are local.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "mel/call.hpp"

namespace MEL {
namespace detail {

/// @throws wherry::error, also if there is no memory
inline void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  call("MPI_Alloc_mem", MPI_Alloc_mem, static_cast<MPI_Aint>(std::max<std::size_t>(bytes, 1)), MPI_INFO_NULL,
       static_cast<void*>(&memory));
  return memory;
}
inline void release(void* memory) noexcept {
  if (memory != nullptr) MPI_Free_mem(memory);
}

}  // namespace detail

/// Allocates memory for `len` objects, which are not constructed.
/// @throws wherry::error for a negative length, for one that is larger than any memory, or if there is no memory
template <class T> T* MemAlloc(MPI_Aint len = 1) {
  static_assert(alignof(T) <= alignof(std::max_align_t), "MEL: MPI_Alloc_mem knows no alignment greater than usual");
  if (len < 0) detail::refuse("MEL::MemAlloc", wherry::detail::text("'len' is ", len, ", expected 0 or more"));
  if (len > std::numeric_limits<MPI_Aint>::max() / static_cast<MPI_Aint>(sizeof(T)))
    detail::refuse("MEL::MemAlloc", wherry::detail::text("'len' is ", len, ", which is more than memory can hold"));
  return static_cast<T*>(detail::allocate(static_cast<std::size_t>(len) * sizeof(T)));
}
/// Allocates memory for `len` objects and fills it with copies of `value`.
template <class T> T* MemAlloc(MPI_Aint len, const T& value) {
  T* const p = MemAlloc<T>(len);
  std::uninitialized_fill_n(p, len, value);
  return p;
}
/// Frees memory without destroying the objects in it. Null is allowed. A pointer that is not constant becomes null.
template <class T> void MemFree(T* const& ptr) { detail::release(const_cast<std::remove_cv_t<T>*>(ptr)); }
template <class T> void MemFree(T*& ptr) {
  T* const memory = std::exchange(ptr, nullptr);
  MemFree(memory);
}
/// Frees the memory of several pointers.
template <class First, class Second, class... Rest> void MemFree(First&& first, Second&& second, Rest&&... rest) {
  MemFree(std::forward<First>(first));
  MemFree(std::forward<Second>(second));
  (MemFree(std::forward<Rest>(rest)), ...);
}

/// Allocates and constructs one object.
template <class T, class... Args> T* MemConstruct(Args&&... args) {
  return ::new (static_cast<void*>(MemAlloc<T>())) T(std::forward<Args>(args)...);
}
/// Destroys `len` objects and frees their memory. Null is allowed. A pointer that is not constant becomes null.
/// @throws wherry::error for a negative length
template <class T> void MemDestruct(T* const& ptr, MPI_Aint len = 1) {
  if (len < 0) detail::refuse("MEL::MemDestruct", wherry::detail::text("'len' is ", len, ", expected 0 or more"));
  if (ptr == nullptr) return;
  T* const objects = ptr;
  std::destroy_n(objects, len);
  detail::release(const_cast<std::remove_cv_t<T>*>(objects));
}
template <class T> void MemDestruct(T*& ptr, MPI_Aint len = 1) {
  T* const objects = ptr;
  if (len >= 0) ptr = nullptr;  // first, because the pointer may be a part of the objects
  MemDestruct(objects, len);
}

}  // namespace MEL
