// A stream that leaves, window by window: to one rank, or to all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "byte_channel_state.hpp"
#include "byte_messages.hpp"
#include "byte_waiting.hpp"
#include "byte_window.hpp"
#include "channel/pending_message.hpp"
#include "flight/flight.hpp"

namespace wherry {

/// What the writing end of a stream has in flight. Nothing here waits. Let go of before its end it tells the readers
/// why, at once unless some of them do not even know yet that a broadcast before was given up for want of room; and
/// stays until MPI needs its memory no more.
class leaving_stream final : public flight {
 public:
  /// To one rank: begins with a first message, which may be all.
  leaving_stream(const communicator& comm, int to, int tag, std::uint64_t fingerprint);
  /// To all: through `ring`, and to `children` elsewhere.
  leaving_stream(const communicator& comm, ring_lease ring, std::vector<int> children, int tag,
                 std::uint64_t fingerprint, std::uint64_t stream);
  ~leaving_stream() override;
  leaving_stream(const leaving_stream&) = delete;
  leaving_stream& operator=(const leaving_stream&) = delete;

  const std::shared_ptr<stream_log>& log() const { return channels_->log(); }

  /// The memory of the first message; null where there is none, or it has left.
  std::byte* first_data() { return first_ && !open_ ? first_->data : nullptr; }
  std::size_t first_capacity() const { return first_piece_bytes(shared_); }
  /// The first message, of so many bytes, leaves; windows follow unless it is all.
  void send_first(std::size_t bytes, bool all);

  /// Whether the next window may be written, in its place.
  bool has_room();
  byte_window& window() { return ring_->window(ring_->next()); }
  /// Fills it, or a part of it.
  void put(std::byte* in_window, const std::byte* from, std::size_t bytes) { ring_->put(in_window, from, bytes); }
  /// Whether the receiver has said that it takes the windows; where nobody is asked, at once.
  bool may_send() { return !answer_ || answer_message_.done(); }
  void send_window(std::size_t bytes, window_state state);
  /// Readers in shared memory are better served with whole windows.
  bool is_read_in_place() const { return ring_ && ring_->readers() > (first_ ? 0 : 1); }

  /// Whether windows, or all that there is, leave in messages.
  bool leaves_in_messages() const { return ring_ && !first_ ? has_children_ : !ring_ || !shared_; }

  /// The receiver's reason not to take the stream.
  std::optional<std::string> refusal() const;
  /// Whether the receiver has begun to read, where that is asked for.
  bool accepted() const;
  /// Whether MPI needs nothing of this any more.
  bool all_gone() { return first_message_.done() && may_send() && (!sender_ || sender_->all_done()); }
  void append_missing(std::vector<int>& ranks) const;

  void give_up(std::string_view why) { reason_ = why.substr(0, 1024); }
  bool let_go();
  bool owes() const override { return in_flight() && !ended_; }

 private:
  bool advance() override;
  void open_windows();
  bool try_to_end();
  void send_last_word(std::string_view reason);

  communicator comm_;
  std::shared_ptr<channel_state> channels_;
  int to_ = -1, tag_ = 0;  // of the first message
  bool shared_ = false, open_ = false, ended_ = false, has_children_ = false;
  std::uint64_t fingerprint_, stream_ = 0;
  std::unique_ptr<first_piece> first_;
  std::unique_ptr<stream_answer> answer_;  // where the receiver is asked
  pending_message first_message_, answer_message_;
  ring_lease ring_;
  std::optional<window_sender> sender_;
  std::string reason_;
};

}  // namespace wherry
