/// @file
/// The operations on the word of one notification. They are templates on the word, so that `tests/models` can try all
/// orders that a weak memory model allows.
#pragma once

#include <atomic>
#include <cstdint>

namespace wherry::detail::notification_word {

/// Sends the notification. A thread that sees the value also sees everything that this thread stored before.
template <class Word> void tell(Word& word, std::uint32_t value) { word.store(value, std::memory_order_release); }

/// The value; 0 if nothing has come since the notification was last taken.
template <class Word> std::uint32_t look(const Word& word) { return word.load(std::memory_order_acquire); }

/// Takes the value. Of several threads and ranks, one gets it and the others get 0. A load followed by a store of 0
/// would lose a notification that comes between the two.
template <class Word> std::uint32_t take(Word& word) { return word.exchange(0, std::memory_order_acq_rel); }

}  // namespace wherry::detail::notification_word
