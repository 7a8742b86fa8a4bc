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
    case kind::request:
      return "wherry_request";
    case kind::segment:
      return "wherry_segment";
    case kind::segment_queue:
      return "wherry_segment_queue";
    case kind::segment_space:
      return "wherry_segment_space";
    case kind::passive_messages:
      return "wherry_passive_messages";
    case kind::rank_group:
      return "wherry_rank_group";
    case kind::published_layouts:
      return "wherry_published_layouts";
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
