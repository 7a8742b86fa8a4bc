#include "handles.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry_c {
namespace {

using wherry::error;
using wherry::error_kind;

static_assert(sizeof(std::uintptr_t) == 8, "a handle holds two numbers of 32 bits");

/// The places that are free, and their guard.
struct table {
  std::mutex guard;
  std::vector<std::uint32_t> unused;
  std::uint32_t size = 0;
};

table& all() {
  static auto* const one = new table;  // outlives every static object that frees a handle
  return *one;
}

}  // namespace

constinit std::array<std::atomic<handle_place*>, handle_blocks> blocks_of_handles{};

std::uintptr_t add_object(kind what, std::shared_ptr<void> object) {
  auto& places = all();
  const std::lock_guard lock(places.guard);
  if (places.unused.empty()) {
    const auto in_block = places.size / handles_of_block;
    if (in_block == handle_blocks) throw error(error_kind::resource, "wherry", "the table of handles is full");
    places.unused.reserve(places.size + handles_of_block);
    auto* const added = new handle_place[handles_of_block];
    blocks_of_handles[in_block].store(added, std::memory_order_release);
    for (std::size_t i = handles_of_block; i-- > 0;)
      places.unused.push_back(places.size + static_cast<std::uint32_t>(i));
    places.size += handles_of_block;
  }
  const auto number = places.unused.back();
  places.unused.pop_back();
  auto& used = blocks_of_handles[number / handles_of_block].load()[number % handles_of_block];
  used.object = std::move(object);
  ++used.uses;
  used.word.store(handle_word(what, used.uses), std::memory_order_release);
  return std::uintptr_t{used.uses} << 32 | (number + 1);
}

std::shared_ptr<void> take_object(kind what, std::uintptr_t handle) noexcept {
  auto& places = all();
  const std::lock_guard lock(places.guard);
  auto* const found = place_of_handle(what, handle);
  if (found == nullptr) return nullptr;
  found->word.store(0, std::memory_order_release);
  places.unused.push_back(static_cast<std::uint32_t>(handle) - 1);  // there is room: it was reserved
  return std::move(found->object);
}

std::string_view name_of(kind what) {
  // In the order of the kinds.
  static constexpr std::array<std::string_view, static_cast<std::size_t>(kind::last) + 1> names{
      "object",
      "wherry_communicator",
      "wherry_process_grid",
      "wherry_exchange",
      "wherry_index_lists",
      "wherry_index_plan",
      "wherry_ghost_layers",
      "wherry_layered_field",
      "wherry_arrivals",
      "wherry_arriving",
      "wherry_sparse_plan",
      "wherry_particle_exchange",
      "wherry_ghost_particles",
      "wherry_request",
      "wherry_segment",
      "wherry_segment_queue",
      "wherry_segment_space",
      "wherry_passive_messages",
      "wherry_rank_group",
      "wherry_published_layouts",
      "wherry_floor_plan",
      "wherry_x_array",
      "wherry_motion_plan",
      "wherry_level_coupling",
      "wherry_index_floor_plan",
      "wherry_index_array",
      "wherry_index_motions",
      "wherry_array_series",
      "wherry_array_writer"};
  static_assert(!names.back().empty());
  return names[static_cast<std::size_t>(what)];
}

void throw_no_object(kind what, std::uintptr_t handle, std::string_view where, std::string_view argument) {
  using wherry::detail::text;
  throw error(error_kind::argument, where,
              handle == 0 ? text('\'', argument, "' is NULL")
                          : text('\'', argument, "' is no ", name_of(what),
                                 ": it was freed, was never set, or is a handle of another kind"));
}

}  // namespace wherry_c
