// The row of the fake device in the table of devices: memory and a thread of the host imitate a device.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "wherry/device/detail/device_moves.hpp"
#include "wherry/device/device.hpp"

#include "fake_memory.hpp"
#include "fake_queues.hpp"

namespace wherry {
namespace {

fake::queue* of(device_stream stream) {
  return stream.handle == nullptr ? fake::queues::instance().main() : static_cast<fake::queue*>(stream.handle);
}
/// Shared, because a queue that still waits for an event keeps it alive.
using shared_event = std::shared_ptr<fake::event>;
shared_event& of(detail::device_event event) { return *static_cast<shared_event*>(event.handle); }

template <class T> const T* reach(const T* place) { return fake::memory::instance().reach(place); }

/// The moves with the addresses by which the device reaches them.
device_moves reach(const device_moves& what) {
  auto there = what;
  there.moves = reach(what.moves);
  there.loops = reach(what.loops);
  there.narrow = reach(what.narrow);
  there.wide = reach(what.wide);
  there.pieces = reach(what.pieces);
  return there;
}

/// Ends the program. On a real device the two threads would combine at the same time, and one result would be lost.
[[noreturn]] void end_for_two_at_once(const void* place) {
  std::fprintf(stderr, "fake device: two threads of one launch combine values at %p\n", place);
  std::abort();
}

/// Ends the program if a place that one unit of the launch combines into is also written by another unit.
void require_one_for_each_place(const device_moves& what, void* const* fields) {
  std::unordered_map<const std::byte*, bool> written;  // true: combined
  for (std::uint32_t p = 0; p < what.how_many_pieces; ++p) {
    const auto& piece = what.pieces[p];
    const auto& move = what.moves[piece.move];
    const bool combines = !move.copies && move.operation != plans::known_operation::convert;
    const auto* const loops = what.loops + piece.first_loop + move.from.loops;
    for (std::uint32_t i = 0; i < piece.units; ++i) {
      moving::unit_places<true, 1> places{};
      moving::add_places<true, 1>(what, move.to, loops, {{piece.first + i}}, places);
      const auto* const place =
          static_cast<const std::byte*>(fields[piece.to_field]) + move.to.offset + places.at[0] * move.to.bytes;
      const auto [at, is_new] = written.try_emplace(place, combines);
      if (!is_new && (combines || at->second)) end_for_two_at_once(place);
    }
  }
}

template <bool Long> void carry_out(const device_moves& what, void* const* fields) {
  if (what.only_copies) return move_by_host<Long, true>(what, fields);
  if (what.numbers_apart) return move_by_host<Long, false, moving::combine_known<true>>(what, fields);
  move_by_host<Long, false>(what, fields);
}

void move(device_stream stream, const device_moves& what, const field_places& fields) {
  fake::queues::instance().put(of(stream), [what, fields] {
    const auto* table = fields.many != nullptr ? reach(fields.many) : fields.few;
    std::vector<void*> places(table, table + what.fields);
    for (auto& place : places) place = fake::memory::instance().reach(place);
    const auto there = reach(what);
    if (!what.only_copies) require_one_for_each_place(there, places.data());
    if (what.own != nullptr) return what.own->on_host(there, places.data());
    what.long_moves ? carry_out<true>(there, places.data()) : carry_out<false>(there, places.data());
  });
}

void copy(device_stream stream, void* to, const void* from, std::size_t bytes) {
  fake::queues::instance().put(of(stream), [=] {
    std::memcpy(fake::memory::instance().reach(static_cast<std::byte*>(to)),
                fake::memory::instance().reach(static_cast<const std::byte*>(from)), bytes);
  });
}

const device row{
    .name = "fake",
    .meaning = "memory and queues of the host that behave like a device's, for tests",
    .is_host = true,
    .absence = [] { return std::string(); },
    .owns = [](const void* place) { return fake::memory::instance().owns(place); },
    .allocate = [](std::size_t bytes) { return fake::memory::instance().allocate(bytes); },
    .release = [](void* piece) { fake::memory::instance().release(piece); },
    .allocate_pinned = [](std::size_t bytes) { return std::aligned_alloc(64, (bytes + 63) / 64 * 64); },
    .release_pinned = [](void* piece) { std::free(piece); },
    .make_stream = [] { return device_stream{fake::queues::instance().make_queue()}; },
    .end_stream = [](device_stream stream) { fake::queues::instance().end(of(stream)); },
    .make_event = [] { return detail::device_event{new shared_event(std::make_shared<fake::event>())}; },
    .end_event = [](detail::device_event event) { delete &of(event); },
    .record = [](detail::device_event event,
                 device_stream stream) { fake::queues::instance().record(of(event), of(stream)); },
    .has_happened = [](detail::device_event event) { return fake::queues::instance().has_happened(*of(event)); },
    .hold_until = [](device_stream stream,
                     detail::device_event event) { fake::queues::instance().hold_until(of(stream), of(event)); },
    .await = [](detail::device_event event) { fake::queues::instance().await(*of(event)); },
    .finish = [](device_stream stream) { fake::queues::instance().finish(of(stream)); },
    .finish_all = [] { fake::queues::instance().finish_all(); },
    .copy = copy,
    .move = move,
    .lend = [](void* piece, detail::device_ticket& ticket) { return fake::memory::instance().lend(piece, ticket); },
    .borrow = [](const detail::device_ticket& ticket,
                 void*& piece) { return fake::memory::instance().borrow(ticket, piece); },
    .give_back = [](void* borrowed) { fake::memory::instance().give_back(borrowed); },
    .for_mpi = [](void* place) { return fake::memory::instance().reach(place); }};

}  // namespace

const device& fake_device() { return row; }
void detail::seed_fake_device(std::uint64_t seed) { fake::queues::instance().seed(seed); }

std::shared_ptr<void> detail::hold_fake_device(device_stream stream) {
  auto door = std::make_shared<fake::event>(fake::event{.asked = 1});
  fake::queues::instance().hold_until(of(stream), door);
  auto* const closed = door.get();
  return {closed, [door](void*) { fake::queues::instance().let_happen(*door); }};
}

}  // namespace wherry
