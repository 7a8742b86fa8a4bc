// Small writes on their way into memory that their writer does not reach by stores: they lie in a ring in the writer's
// memory until somebody brings them where they belong. That is the rank whose memory it is, before it tells of a
// notification; or anybody else who has to have them there: one at a time, who has taken the word `drainer`. The ring
// is that of window_ring.hpp, with all who drain as its one reader. Free of MPI and of how one brings: see
// shared_channel.hpp.
#pragma once

#include <cstdint>

#include "machine_words.hpp"
#include "window_ring.hpp"

namespace wherry {

template <class Words = machine_words> struct staged_words {
  ring_writer_words<Words> written;
  ring_reader_words<Words> taken;
  /// Who drains: a number that is not 0. Else 0.
  alignas(64) typename Words::template atomic<std::uint32_t> drainer{0};
};

inline constexpr std::uint32_t no_drainer = 0;

/// The writer's side: `is_free`, `publish`.
template <class Words, std::uint64_t Windows> window_ring_writer<Words, Windows> writer_of(staged_words<Words>& words) {
  return {words.written, &words.taken, 1};
}

/// Brings all that is in the ring as far as the caller can know: what was published before something that it has seen.
/// @param me not 0
/// @param bring called with the number of each window, in their order; false: it cannot, and the rest stays where it is
/// @param instead_of who drains, and has died
/// @return false: another one drains, and what it brings may not be there yet. To be called again
template <class Words, class Bring>
bool try_drain(staged_words<Words>& words, std::uint64_t windows, std::uint32_t me, Bring&& bring,
               std::uint32_t instead_of = no_drainer) {
  window_ring_reader<Words> reader(words.written, words.taken);
  reader.catch_up();
  if (!reader.ready() && instead_of == no_drainer) return true;
  if (!words.drainer.compare_exchange_strong(instead_of, me, std::memory_order_acquire)) return false;
  reader.catch_up();  // somebody may have drained since
  // No more than were there: a writer who goes on must not keep us here.
  for (std::uint64_t n = 0; n < windows && reader.ready() && bring(reader.position()); ++n) reader.release();
  words.drainer.store(no_drainer, std::memory_order_release);
  return true;
}

}  // namespace wherry
