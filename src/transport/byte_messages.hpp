// A stream as messages of one window each. Both ends know one another and the tag.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "byte_ring.hpp"
#include "byte_waiting.hpp"
#include "byte_window.hpp"
#include "channel/pending_message.hpp"

namespace wherry {

/// A receiver has so many receives posted; those that the stream does not use are met by empty messages.
inline constexpr int windows_ahead = 2;

/// Sends windows of a ring to ranks elsewhere.
class window_sender {
 public:
  window_sender(const communicator& comm, std::vector<int> to, int tag) : comm_(comm), to_(std::move(to)), tag_(tag) {}

  void send(const byte_window& window, std::uint64_t number);
  /// Whether the memory of this window may be written again.
  bool done(std::uint64_t number);
  /// In place of all windows that were to follow.
  void send_last_word(const byte_window& word);
  /// After the last window: what the receivers have posted in vain.
  void send_padding();
  bool all_done();
  void append_missing(std::vector<int>& ranks) const;

 private:
  communicator comm_;
  std::vector<int> to_;
  int tag_;
  std::array<std::vector<pending_message>, ring_writer::windows> under_way_;
  std::vector<pending_message> at_the_end_;
};

/// Receives windows into a ring, from which the ranks of this node read them too, and passes them on to others. The
/// ring must be nobody else's meanwhile.
class window_relay {
 public:
  window_relay(const communicator& comm, ring_writer& ring, std::uint64_t stream, int from, int tag,
               std::vector<int> to)
      : comm_(comm),
        ring_(ring),
        stream_(stream),
        from_(from),
        tag_(tag),
        posted_(ring.next()),
        arrived_(ring.next()),
        on_(comm, std::move(to), tag) {
    ring_.begin(stream);
  }

  /// The next window once it is here, already passed on; else null. The one before it is given back.
  const byte_window* next();
  /// After the last window: true when all has been passed on.
  bool finish();
  /// Passes nothing on any more but why; what still comes is thrown away.
  void abandon(std::string_view reason);
  int writer() const { return from_; }
  void append_missing(std::vector<int>& ranks) const;

 private:
  void post(std::uint64_t end);
  void pass_on(const byte_window& window);
  bool all_here();
  byte_window& place_of(std::uint64_t number);

  communicator comm_;
  ring_writer& ring_;
  std::uint64_t stream_;
  int from_, tag_;
  std::uint64_t posted_, arrived_;  // receives are posted for, or have brought, windows below this number
  std::uint64_t end_ = 0;           // once the last window is here: all that the writer sends
  std::uint64_t thrown_away_ = 0;   // once abandoned: windows from this number on lie in `scratch_`
  std::unique_ptr<byte_window[]> scratch_;
  std::array<pending_message, ring_writer::windows> receives_;
  window_sender on_;
};

}  // namespace wherry
