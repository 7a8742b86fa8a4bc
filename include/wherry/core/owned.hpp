/// @file
/// The pointer inside a handle class that can be moved. Every use of a handle that was moved from throws error(state).
#pragma once

#include <utility>

namespace wherry::detail {

/// @throws error(state): "this segment was moved from", for the `handle` "segment"
[[noreturn]] void throw_moved_from(const char* handle);

/// A `unique_ptr` or `shared_ptr` to the object that a handle owns; the static member `handle` of that object's class
/// is its name in errors. `->` and `*` are checked. Handles use `if (pointer)` only in their destructors.
template <class Pointer> class owned : public Pointer {
 public:
  owned(Pointer made) : Pointer(std::move(made)) {}

  auto* operator->() const { return &**this; }
  auto& operator*() const {
    auto* const there = Pointer::get();
    if (there == nullptr) throw_moved_from(Pointer::element_type::handle);
    return *there;
  }
};

}  // namespace wherry::detail
