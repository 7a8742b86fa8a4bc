// The messages of a call. The first message from each rank to another one begins with a word that says which call it
// belongs to. A message of another call is reported and discarded. The word and the first bytes arrive in memory of
// ours, and the bytes are copied from there, so that the receiver's memory gets no bytes of another call.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "call_sequence.hpp"
#include "core/cache_line.hpp"
#include "scratch.hpp"

namespace wherry::collective {

/// Memory for small pieces that must not move until all messages have gone.
class heads_memory {
 public:
  void begin(scratch_pool& pool, std::size_t bytes_of_head) {
    pool_ = &pool;
    each_ = in_lines(bytes_of_head);
    taken_ = 0;
  }
  std::byte* next() {
    std::size_t chunk = 0, first = 0;
    while (taken_ >= first + size_of(chunk)) first += size_of(chunk++);
    auto& memory = chunks_[chunk];
    if (memory.bytes() < size_of(chunk) * each_) memory = pool_->take(size_of(chunk) * each_);
    return memory.data() + (taken_++ - first) * each_;
  }

 private:
  static std::size_t size_of(std::size_t chunk) { return std::size_t{4} << chunk; }
  scratch_pool* pool_ = nullptr;
  std::size_t each_ = 64, taken_ = 0;
  std::array<scratch, 20> chunks_;
};

/// The words of a call's messages: one word for all, or one that depends on the bytes of each message.
struct said_by_messages {
  call_terms terms;
  std::uint64_t common = 0;  ///< 0: each message has a word of its own
  bool each = false;         ///< all messages carry it, not only the first between two ranks

  std::uint64_t of(std::int64_t bytes) const { return common != 0 ? common : terms.of(bytes); }
};

/// Adds the words to messages and compares them.
/// @tparam Messages `stage_messages` or `mailed_messages`, which carry the messages
template <class Messages> class agreed_messages {
 public:
  explicit agreed_messages(scratch_pool& pool) : messages_(pool), heads_(pool), met_(pool) {}
  /// Begins a call of this many ranks.
  template <class... How> void begin(call_sequence& sequence, scratch_pool& pool, int ranks, How&&... how) {
    sequence_ = &sequence;
    messages_.begin(how...);
    memory_.begin(pool, static_cast<std::size_t>(most_of_head()));
    heads_.clear();
    met_.clear();
    met_.resize(2 * static_cast<std::size_t>(ranks), 0);
  }
  void say(const said_by_messages& what) { said_ = what; }

  void send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty = false) {
    if (!is_head(2 * static_cast<std::size_t>(peer))) return messages_.send(from, bytes, peer, even_empty);
    const auto first = std::min(bytes, most_of_head() - word);
    auto* const memory = memory_.next();
    const auto says = said_.of(bytes);
    std::memcpy(memory, &says, sizeof says);
    if (first > 0) std::memcpy(memory + word, from, static_cast<std::size_t>(first));
    messages_.send_head(memory, word + first, peer);
    if (bytes > first) messages_.send(from + first, bytes - first, peer);
  }
  void receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty = false) {
    if (!is_head(2 * static_cast<std::size_t>(peer) + 1)) return messages_.receive(into, bytes, peer, even_empty);
    const auto first = std::min(bytes, most_of_head() - word);
    auto* const memory = memory_.next();
    const auto number = messages_.receive_head(memory, most_of_head(), peer);
    heads_.push_back({memory, into, first, said_.of(bytes), number, peer, false});
    if (bytes > first) messages_.receive(into + first, bytes - first, peer);
  }

  /// True once all messages have arrived and left, and belong to this call.
  /// @throws error(mismatch) for a message of another call
  bool done() {
    constexpr unsigned between = 16;
    bool all = false;
    try {
      all = messages_.done();
    } catch (...) {
      compare(false);  // a message that is too long for its memory belongs to another call
      throw;
    }
    if (!all && ++polls_ % between != 0) return false;
    compare(all);
    if (!all) return false;
    for (const auto& one : heads_)
      if (one.bytes > 0) std::memcpy(one.into, one.memory + word, static_cast<std::size_t>(one.bytes));
    heads_.clear();
    return true;
  }
  void append_missing(std::vector<int>& ranks) const { messages_.append_missing(ranks); }
  void cancel() noexcept { messages_.cancel(); }

 private:
  static constexpr std::int64_t word = sizeof(std::uint64_t), most_beside_word = 1024;
  struct head {
    std::byte *memory, *into;
    std::int64_t bytes;
    std::uint64_t expected;
    std::size_t number;  // the number of its message
    int peer;
    bool compared;
  };

  std::int64_t most_of_head() const { return std::min(word + most_beside_word, messages_.most_at_once()); }
  bool is_head(std::size_t place) { return std::exchange(met_[place], char{1}) == 0 || said_.each; }
  /// Compares the words that have arrived.
  /// @param all all have arrived
  void compare(bool all) {
    for (auto& one : heads_) {
      if (one.compared || !(all || messages_.is_there(one.number))) continue;
      one.compared = true;
      std::uint64_t says = 0;
      std::memcpy(&says, one.memory, sizeof says);
      if (!call_terms::agree(one.expected, says)) sequence_->disagree(one.expected, one.peer, says);
    }
  }

  Messages messages_;
  call_sequence* sequence_ = nullptr;
  said_by_messages said_;
  heads_memory memory_;
  scratch_list<head> heads_;  // heads that are still to come
  scratch_list<char> met_;    // by peer: a message has been sent to it, or expected from it
  unsigned polls_ = 0;
};

}  // namespace wherry::collective
