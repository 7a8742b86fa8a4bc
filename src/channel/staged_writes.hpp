// Small writes into memory that their writer does not reach by stores. They lie in a ring in the writer's memory until
// a rank drains it, which means that it brings them to their place. That is the rank that owns the memory, before it
// reports a notification, or any other rank that needs the data there. Only one rank drains at a time: it holds the
// word `drainer`. The ring is that of window_ring.hpp, with all draining ranks as its one reader. Free of MPI and of
// the way to bring the data: see shared_channel.hpp.
#pragma once

#include <cstdint>

#include "machine_words.hpp"
#include "window_ring.hpp"

namespace wherry {

template <class Words = machine_words> struct staged_words {
  ring_writer_words<Words> written;
  ring_reader_words<Words> taken;
  /// The rank that drains, as a number that is not 0; 0: none.
  alignas(64) typename Words::template atomic<std::uint32_t> drainer{0};
};

inline constexpr std::uint32_t no_drainer = 0;

/// The writer's side: `is_free`, `publish`.
template <class Words, std::uint64_t Windows> window_ring_writer<Words, Windows> writer_of(staged_words<Words>& words) {
  return {words.written, &words.taken, 1};
}

/// Drains the ring as far as the caller can know of it: everything that was published before something that it has
/// seen.
/// @param me not 0
/// @param bring called with the number of each window, in order; returns false if it cannot, and then the rest stays
///   where it is
/// @param instead_of a rank that was draining and has died
/// @return false if another rank drains, so that its data may not be there yet; call it again
template <class Words, class Bring>
bool try_drain(staged_words<Words>& words, std::uint64_t windows, std::uint32_t me, Bring&& bring,
               std::uint32_t instead_of = no_drainer) {
  window_ring_reader<Words> reader(words.written, words.taken);
  reader.catch_up();
  if (!reader.ready() && instead_of == no_drainer) return true;
  if (!words.drainer.compare_exchange_strong(instead_of, me, std::memory_order_acquire)) return false;
  reader.catch_up();  // another rank may have drained since
  // No more windows than there were, because the writer may continue for ever.
  for (std::uint64_t n = 0; n < windows && reader.ready() && bring(reader.position()); ++n) reader.release();
  words.drainer.store(no_drainer, std::memory_order_release);
  return true;
}

}  // namespace wherry
