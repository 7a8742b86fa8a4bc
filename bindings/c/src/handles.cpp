#include "handles.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry_c {
namespace {

using wherry::error;
using wherry::error_kind;

static_assert(sizeof(std::uintptr_t) == 8, "a handle holds two numbers of 32 bits");

/// A place of the table. `word` is 0 while nobody uses it, and otherwise the upper half of the handle and the kind.
struct place {
  std::atomic<std::uint64_t> word{0};
  std::shared_ptr<void> object;
  std::uint32_t uses = 0;
};

constexpr std::size_t places_of_block = 1024;
using block = std::array<place, places_of_block>;

/// Blocks are never freed, so that a lookup needs no lock.
struct table {
  std::array<std::atomic<block*>, 65536> blocks{};
  std::mutex guard;
  std::vector<std::uint32_t> unused;
  std::uint32_t size = 0;
};

table& all() {
  static auto* const one = new table;  // outlives every static object that frees a handle
  return *one;
}

constexpr std::uint64_t word_of(kind what, std::uint32_t uses) {
  return std::uint64_t{uses} << 32 | static_cast<std::uint64_t>(what);
}
constexpr std::uint32_t uses_of(std::uintptr_t handle) { return static_cast<std::uint32_t>(handle >> 32); }
constexpr std::uint32_t number_of(std::uintptr_t handle) { return static_cast<std::uint32_t>(handle) - 1; }

place* place_of(std::uint32_t number) noexcept {
  const auto in_block = number / places_of_block;
  auto& blocks = all().blocks;
  if (in_block >= blocks.size()) return nullptr;
  auto* const found = blocks[in_block].load(std::memory_order_acquire);
  return found == nullptr ? nullptr : &(*found)[number % places_of_block];
}

/// The place that holds what this handle names, or null.
place* used_place(kind what, std::uintptr_t handle) noexcept {
  if (handle == 0) return nullptr;
  auto* const found = place_of(number_of(handle));
  return found != nullptr && found->word.load(std::memory_order_acquire) == word_of(what, uses_of(handle)) ? found
                                                                                                           : nullptr;
}

}  // namespace

std::uintptr_t add_object(kind what, std::shared_ptr<void> object) {
  auto& places = all();
  const std::lock_guard lock(places.guard);
  if (places.unused.empty()) {
    const auto in_block = places.size / places_of_block;
    if (in_block == places.blocks.size()) throw error(error_kind::resource, "wherry", "the table of handles is full");
    places.unused.reserve(places.size + places_of_block);
    auto* const added = new block;
    places.blocks[in_block].store(added, std::memory_order_release);
    for (std::size_t i = places_of_block; i-- > 0;)
      places.unused.push_back(places.size + static_cast<std::uint32_t>(i));
    places.size += places_of_block;
  }
  const auto number = places.unused.back();
  places.unused.pop_back();
  auto& used = *place_of(number);
  used.object = std::move(object);
  ++used.uses;
  used.word.store(word_of(what, used.uses), std::memory_order_release);
  return std::uintptr_t{used.uses} << 32 | (number + 1);
}

void* find_object(kind what, std::uintptr_t handle) noexcept {
  auto* const found = used_place(what, handle);
  return found == nullptr ? nullptr : found->object.get();
}

std::shared_ptr<void> take_object(kind what, std::uintptr_t handle) noexcept {
  auto& places = all();
  const std::lock_guard lock(places.guard);
  auto* const found = used_place(what, handle);
  if (found == nullptr) return nullptr;
  found->word.store(0, std::memory_order_release);
  places.unused.push_back(number_of(handle));  // there is room: it was reserved
  return std::move(found->object);
}

std::string_view name_of(kind what) {
  switch (what) {
    case kind::communicator:
      return "wherry_communicator";
    case kind::process_grid:
      return "wherry_process_grid";
    case kind::exchange:
      return "wherry_exchange";
    case kind::index_lists:
      return "wherry_index_lists";
    case kind::index_plan:
      return "wherry_index_plan";
    case kind::ghost_layers:
      return "wherry_ghost_layers";
    case kind::layered_field:
      return "wherry_layered_field";
    case kind::arrivals:
      return "wherry_arrivals";
    case kind::arriving:
      return "wherry_arriving";
    case kind::sparse_plan:
      return "wherry_sparse_plan";
    case kind::particle_exchange:
      return "wherry_particle_exchange";
    case kind::ghost_particles:
      return "wherry_ghost_particles";
    case kind::floor_plan:
      return "wherry_floor_plan";
    case kind::x_array:
      return "wherry_x_array";
    case kind::motion_plan:
      return "wherry_motion_plan";
    case kind::level_coupling:
      return "wherry_level_coupling";
    case kind::array_series:
      return "wherry_array_series";
    case kind::array_writer:
      return "wherry_array_writer";
    case kind::none:
      break;
  }
  return "object";
}

void throw_no_object(kind what, std::uintptr_t handle, std::string_view where, std::string_view argument) {
  using wherry::detail::text;
  throw error(error_kind::argument, where,
              handle == 0 ? text('\'', argument, "' is NULL")
                          : text('\'', argument, "' is no ", name_of(what),
                                 ": it was freed, was never set, or is a handle of another kind"));
}

}  // namespace wherry_c
