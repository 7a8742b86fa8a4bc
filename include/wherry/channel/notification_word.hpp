/// @file
/// What is done with the word of one notification. On words of any kind, so that `tests/models` tries all that weak
/// ordering allows.
#pragma once

#include <atomic>
#include <cstdint>

namespace wherry::notification_word {

/// What this thread has stored before is seen by who sees the value.
template <class Word> void tell(Word& word, std::uint32_t value) { word.store(value, std::memory_order_release); }

/// 0: nothing has come since somebody has taken it.
template <class Word> std::uint32_t look(const Word& word) { return word.load(std::memory_order_acquire); }

/// Of several threads and ranks one gets the value, the others 0. Not only loaded and cleared: one that comes between
/// would be lost.
template <class Word> std::uint32_t take(Word& word) { return word.exchange(0, std::memory_order_acq_rel); }

}  // namespace wherry::notification_word
