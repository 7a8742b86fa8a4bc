// Handles: the pointers of the C interface are no addresses. Each names a place in a table and how often the place has
// been used, so that a handle that is null, was freed, or is of another kind is recognised and never read. Looking one
// up takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "program_functions.hpp"

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
  request,
  segment,
  segment_queue,
  segment_space,
  passive_messages,
  rank_group,
  published_layouts,
  floor_plan,
  x_array,
  motion_plan,
  level_coupling,
  index_floor_plan,
  index_array,
  index_motions,
  array_series,
  array_writer,
  last = array_writer
};

/// The kind, and the word for it in errors, of the objects of type `T`.
template <class T> inline constexpr kind kind_of = kind::none;

std::string_view name_of(kind what);

/// Stores an object and returns its handle, which is never 0. Thread-safe.
/// @throws std::bad_alloc; error(resource) if there are more than 67 million handles
std::uintptr_t add_object(kind what, std::shared_ptr<void> object);

/// A place of the table. `word` is 0 while nobody uses it, and otherwise the upper half of the handle and the kind.
struct handle_place {
  std::atomic<std::uint64_t> word{0};
  std::shared_ptr<void> object;
  std::uint32_t uses = 0;
};
inline constexpr std::size_t handles_of_block = 1024, handle_blocks = 65536;
/// The table in blocks, which are never freed, so that a lookup needs no lock.
extern constinit std::array<std::atomic<handle_place*>, handle_blocks> blocks_of_handles;

constexpr std::uint64_t handle_word(kind what, std::uint32_t uses) {
  return std::uint64_t{uses} << 32 | static_cast<std::uint64_t>(what);
}

/// The place that holds what this handle names, or null if the handle names no object of this kind. (Inside of the
/// calls that a program makes every step.)
inline handle_place* place_of_handle(kind what, std::uintptr_t handle) noexcept {
  const auto number = static_cast<std::uint32_t>(handle) - 1;  // of null the largest
  if (number >= handles_of_block * handle_blocks) return nullptr;
  auto* const block = blocks_of_handles[number / handles_of_block].load(std::memory_order_acquire);
  if (block == nullptr) return nullptr;
  auto* const found = &block[number % handles_of_block];
  const auto word = handle_word(what, static_cast<std::uint32_t>(handle >> 32));
  return found->word.load(std::memory_order_acquire) == word ? found : nullptr;
}

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
  auto* const found = place_of_handle(kind_of<T>, word);
  if (found == nullptr) [[unlikely]]
    throw_no_object(kind_of<T>, word, where, argument);
  return *static_cast<T*>(found->object.get());
}

/// Frees a handle and sets it to null. Null is left so.
/// @throws error(argument) if the handle was freed through a copy, or is of another kind; error(state) in a function of
///         the program's, and nothing is freed
template <class T, class Handle> void free_handle(Handle* handle, std::string_view where, std::string_view argument) {
  if (handle == nullptr) throw_no_object(kind_of<T>, 0, where, argument);
  if (*handle == nullptr) return;
  refuse_in_program_function(where);
  const auto word = reinterpret_cast<std::uintptr_t>(*handle);
  auto object = take_object(kind_of<T>, word);
  if (object == nullptr) throw_no_object(kind_of<T>, word, where, argument);
  *handle = nullptr;
  object.reset();  // may wait
}

}  // namespace wherry_c
