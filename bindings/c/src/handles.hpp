// Handles: the pointers of the C interface are no addresses. Each names a place in a table and how often the place has
// been used, so that a handle that is null, was freed, or is of another kind is recognised and never read. Looking one
// up takes no lock.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace wherry_c {

/// The kinds of objects. A kind is named in errors by `name_of`.
enum class kind : std::uint8_t {
  none,
  communicator,
  process_grid,
  exchange,
  index_lists,
  index_plan,
  ghost_layers,
  layered_field,
  arrivals,
  arriving,
  sparse_plan,
  particle_exchange,
  ghost_particles,
  floor_plan,
  x_array,
  motion_plan,
  level_coupling,
  array_series,
  array_writer
};

/// The kind, and the word for it in errors, of the objects of type `T`.
template <class T> inline constexpr kind kind_of = kind::none;

std::string_view name_of(kind what);

/// Stores an object and returns its handle, which is never 0. Thread-safe.
/// @throws std::bad_alloc; error(resource) if there are more than four thousand million handles
std::uintptr_t add_object(kind what, std::shared_ptr<void> object);
/// The object of a handle, or null if the handle names no object of this kind.
void* find_object(kind what, std::uintptr_t handle) noexcept;
/// Takes the object out of the table, so that its handle names nothing. Null if the handle names no object of this
/// kind. Thread-safe.
std::shared_ptr<void> take_object(kind what, std::uintptr_t handle) noexcept;

[[noreturn]] void throw_no_object(kind what, std::uintptr_t handle, std::string_view where, std::string_view argument);

/// Makes a handle for an object.
template <class Handle, class T> Handle new_handle(std::shared_ptr<T> object) {
  static_assert(kind_of<T> != kind::none);
  return reinterpret_cast<Handle>(add_object(kind_of<T>, std::move(object)));
}

/// The object of a handle.
/// @throws error(argument) that names the argument, if the handle is null, was freed, or is of another kind
template <class T, class Handle> T& object_of(Handle handle, std::string_view where, std::string_view argument) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  void* const found = find_object(kind_of<T>, word);
  if (found == nullptr) [[unlikely]]
    throw_no_object(kind_of<T>, word, where, argument);
  return *static_cast<T*>(found);
}

/// Frees a handle and sets it to null. Null is left so.
/// @throws error(argument) if the handle was freed through a copy, or is of another kind
template <class T, class Handle> void free_handle(Handle* handle, std::string_view where, std::string_view argument) {
  if (handle == nullptr) throw_no_object(kind_of<T>, 0, where, argument);
  if (*handle == nullptr) return;
  const auto word = reinterpret_cast<std::uintptr_t>(*handle);
  auto object = take_object(kind_of<T>, word);
  if (object == nullptr) throw_no_object(kind_of<T>, word, where, argument);
  *handle = nullptr;
  object.reset();  // may wait
}

}  // namespace wherry_c
