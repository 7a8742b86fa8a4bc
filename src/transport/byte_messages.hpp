// A stream as messages of one window each. Both ends know each other and the tag.
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

/// The number of receives that a receiver keeps posted. Those that the stream does not use are completed by empty
/// messages.
inline constexpr int windows_ahead = 2;

/// Sends windows of a ring to ranks on other nodes.
class window_sender {
 public:
  window_sender(const communicator& comm, std::vector<int> to, int tag) : comm_(comm), to_(std::move(to)), tag_(tag) {}

  void send(const byte_window& window, std::uint64_t number);
  /// True if the memory of this window may be written again.
  bool done(std::uint64_t number);
  /// Sends this window in place of all windows that were to follow.
  void send_last_word(const byte_window& word);
  /// After the last window: sends the empty messages that complete the receivers' unused receives.
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

/// Receives windows into a ring, from which the other ranks of this node read them, and passes them on to ranks of
/// other nodes. No other stream may use the ring meanwhile.
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

  /// Returns the next window once it has arrived, already passed on; otherwise null. The call gives back the window of
  /// the call before.
  const byte_window* next();
  /// After the last window: returns true when all windows have been passed on.
  bool finish();
  /// Passes on only the reason from now on. Windows that still arrive are thrown away.
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
  std::uint64_t end_ = 0;           // after the last window: the number behind all that the writer sends
  std::uint64_t thrown_away_ = 0;   // after `abandon`: windows from this number on lie in `scratch_`
  std::unique_ptr<byte_window[]> scratch_;
  std::array<pending_message, ring_writer::windows> receives_;
  window_sender on_;
};

}  // namespace wherry
