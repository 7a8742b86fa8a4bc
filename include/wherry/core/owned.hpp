/// @file
/// The pointer behind a handle that can be moved: one that was moved from answers every use by error(state).
#pragma once

#include <utility>

namespace wherry::detail {

/// @throws error(state): "this segment was moved from"
[[noreturn]] void throw_moved_from(const char* handle);

/// A `unique_ptr` or `shared_ptr` to what a handle owns, whose `handle` is the class's name in errors. `->` and `*` are
/// checked; a handle asks by `if (pointer)` only where it ends.
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
