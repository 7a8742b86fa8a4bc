// Segments: they are made, bound, registered and deleted by one rank, or by a group together.
#include <algorithm>
#include <cstdint>

#include "PGASPI.h"
#include "calls.hpp"
#include "members.hpp"
#include "requests.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_segment_alloc);
WHERRY_WEAK_NAME(gaspi_segment_bind);
WHERRY_WEAK_NAME(gaspi_segment_register);
WHERRY_WEAK_NAME(gaspi_segment_create);
WHERRY_WEAK_NAME(gaspi_segment_use);
WHERRY_WEAK_NAME(gaspi_segment_delete);
WHERRY_WEAK_NAME(gaspi_segment_num);
WHERRY_WEAK_NAME(gaspi_segment_list);
WHERRY_WEAK_NAME(gaspi_segment_ptr);
WHERRY_WEAK_NAME(gaspi_segment_size);
WHERRY_WEAK_NAME(gaspi_segment_max);
WHERRY_WEAK_NAME(gaspi_segment_avail_local);

namespace wherry::gaspi {
namespace {

/// The memory from which one rank's call makes a segment.
struct source {
  std::byte* users = nullptr;  // null: the library allocates the memory
  gaspi_size_t bytes = 0;
};

gaspi_number_t number_here(const world& w) {
  gaspi_number_t number = 0;
  for (int id = 0; id < segment_ids; ++id)
    if (w.own(static_cast<gaspi_segment_id_t>(id)) != nullptr) ++number;
  return number;
}

/// Makes this rank's part. The caller holds `w.guard`.
gaspi_return_t make(world& w, std::string_view call, gaspi_segment_id_t id, const source& from) {
  if (id == segment_ids - 1 || w.own(id) != nullptr)
    return refuse(
        call, GASPI_ERR_INV_SEG,
        detail::text("'segment_id' is ", int{id}, id == 255 ? ", expected 0 to 254" : ", which is already in use"));
  if (from.bytes == 0) return refuse(call, GASPI_ERR_INV_SEGSIZE, "'size' is 0, expected 1 or more");
  if (number_here(w) >= w.config.segment_max)
    return refuse(call, GASPI_ERR_MANY_SEG,
                  detail::text("there are already as many segments as 'segment_max' allows: ", w.config.segment_max));
  auto& v = w.view_of(id);
  v.ticket = from.users != nullptr ? v.segment.offer({from.users, from.bytes}) : v.segment.offer(from.bytes);
  v.bytes = from.bytes;
  v.is_registered = false;
  v.is_here.store(true, std::memory_order_release);
  return GASPI_SUCCESS;
}

void register_with_all(world& w, gaspi_segment_id_t id, view& v) {
  if (!v.is_registered) w.listed.enter(id, v.ticket);
  v.is_registered = true;
}

gaspi_return_t make_here(const char* call, gaspi_segment_id_t id, const source& from) {
  return in_world(call, [&](world& w) {
    const std::lock_guard lock(w.guard);
    return make(w, call, id, from);
  });
}

/// Allocates, registers and waits in a barrier. After a timeout the same call continues.
gaspi_return_t make_together(const char* call, gaspi_segment_id_t id, const source& from, gaspi_group_t number,
                             gaspi_timeout_t timeout_ms) {
  return in_world(call, [&](world& w) {
    auto* const members = committed(w, number);
    if (members == nullptr)
      return refuse(call, GASPI_ERR_INV_GROUP,
                    detail::text("group ", int{number}, " does not exist or is not committed"));
    {
      const std::lock_guard lock(w.guard);
      auto* v = w.own(id);
      if (v == nullptr || !v->waits_for_others) {
        if (const auto made = make(w, call, id, from); made != GASPI_SUCCESS) return made;
        v = w.own(id);
        register_with_all(w, id, *v);
        v->waits_for_others = true;
      }
    }
    if (!members->ranks.barrier(seconds_of(timeout_ms))) return GASPI_TIMEOUT;
    const std::lock_guard lock(w.guard);
    auto& v = *w.own(id);
    v.waits_for_others = false;
    // Entries and answers about the members' older segments with this id are no longer valid.
    w.listed.forget(id);
    for (auto& stamp : v.known) stamp.store(~std::uint64_t{0}, std::memory_order_release);
    return GASPI_SUCCESS;
  });
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_segment_alloc(const gaspi_segment_id_t segment_id, const gaspi_size_t size, const gaspi_alloc_t) {
  return make_here("gaspi_segment_alloc", segment_id, {nullptr, size});
}

gaspi_return_t pgaspi_segment_bind(const gaspi_segment_id_t segment_id, const gaspi_pointer_t pointer,
                                   const gaspi_size_t size, const gaspi_memory_description_t) {
  constexpr auto call = "gaspi_segment_bind";
  if (pointer == nullptr)
    return in_world(call, [&](world&) { return refuse(call, GASPI_ERR_NULLPTR, "'pointer' is null"); });
  return make_here(call, segment_id, {static_cast<std::byte*>(pointer), size});
}

gaspi_return_t pgaspi_segment_create(const gaspi_segment_id_t segment_id, const gaspi_size_t size,
                                     const gaspi_group_t group, const gaspi_timeout_t timeout_ms, const gaspi_alloc_t) {
  return make_together("gaspi_segment_create", segment_id, {nullptr, size}, group, timeout_ms);
}

gaspi_return_t pgaspi_segment_use(const gaspi_segment_id_t segment_id, const gaspi_pointer_t pointer,
                                  const gaspi_size_t size, const gaspi_group_t group, const gaspi_timeout_t timeout,
                                  const gaspi_memory_description_t) {
  constexpr auto call = "gaspi_segment_use";
  if (pointer == nullptr)
    return in_world(call, [&](world&) { return refuse(call, GASPI_ERR_NULLPTR, "'pointer' is null"); });
  return make_together(call, segment_id, {static_cast<std::byte*>(pointer), size}, group, timeout);
}

gaspi_return_t pgaspi_segment_register(const gaspi_segment_id_t segment_id, const gaspi_rank_t rank,
                                       const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_segment_register";
  return with_rank(call, rank, [&](world& w) {
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(w.guard);
      auto* const v = w.own(segment_id);
      if (v == nullptr) return refuse(call, GASPI_ERR_INV_SEG, text("there is no segment ", int{segment_id}));
      register_with_all(w, segment_id, *v);
      number = w.listed.number_of(segment_id);
    }
    return in_time(w.listed.announce_to(rank, number, seconds_of(timeout_ms)));
  });
}

gaspi_return_t pgaspi_segment_delete(const gaspi_segment_id_t segment_id) {
  constexpr auto call = "gaspi_segment_delete";
  return in_world(call, [&](world& w) {
    const std::lock_guard lock(w.guard);
    auto* const v = w.own(segment_id);
    if (v == nullptr) return refuse(call, GASPI_ERR_INV_SEG, text("there is no segment ", int{segment_id}));
    w.listed.strike(segment_id);
    v->is_here.store(false, std::memory_order_release);
    v->waits_for_others = false;
    v->segment.withdraw();
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_segment_num(gaspi_number_t* const segment_num) {
  return answer("gaspi_segment_num", segment_num, number_here);
}

gaspi_return_t pgaspi_segment_max(gaspi_number_t* const segment_max) {
  return answer("gaspi_segment_max", segment_max, [](world& w) { return w.config.segment_max; });
}

gaspi_return_t pgaspi_segment_list(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_list) {
  constexpr auto call = "gaspi_segment_list";
  return in_world(call, [&](world& w) {
    if (segment_id_list == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'segment_id_list' is null");
    if (num != number_here(w))
      return refuse(call, GASPI_ERR_INV_NUM,
                    text("'num' is ", num, ", expected ", number_here(w), ", the number of segments"));
    gaspi_number_t place = 0;
    for (int id = 0; id < segment_ids && place < num; ++id)
      if (w.own(static_cast<gaspi_segment_id_t>(id)) != nullptr)
        segment_id_list[place++] = static_cast<gaspi_segment_id_t>(id);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_segment_ptr(const gaspi_segment_id_t segment_id, gaspi_pointer_t* ptr) {
  constexpr auto call = "gaspi_segment_ptr";
  return in_world(call, [&](world& w) {
    if (ptr == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'ptr' is null");
    auto* const v = w.own(segment_id);
    if (v == nullptr) return refuse(call, GASPI_ERR_INV_SEG, text("there is no segment ", int{segment_id}));
    *ptr = v->segment.memory().data();
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_segment_size(const gaspi_segment_id_t segment_id, const gaspi_rank_t rank,
                                   gaspi_size_t* const size) {
  constexpr auto call = "gaspi_segment_size";
  return with_rank(call, rank, [&](world& w) {
    if (size == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'size' is null");
    wherry::byte_segment* there = nullptr;
    if (const auto wrong = find_segment(w, call, segment_id, rank, time_limit(GASPI_BLOCK), there);
        wrong != GASPI_SUCCESS)
      return wrong;
    *size = there->bytes_of(rank);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_segment_avail_local(gaspi_segment_id_t* const avail_seg_id) {
  constexpr auto call = "gaspi_segment_avail_local";
  return in_world(call, [&](world& w) {
    if (avail_seg_id == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'avail_seg_id' is null");
    if (number_here(w) >= w.config.segment_max)
      return refuse(call, GASPI_ERR_MANY_SEG,
                    text("there are already as many segments as 'segment_max' allows: ", w.config.segment_max));
    gaspi_segment_id_t id = 0;
    while (w.own(id) != nullptr) ++id;
    *avail_seg_id = id;
    return GASPI_SUCCESS;
  });
}
