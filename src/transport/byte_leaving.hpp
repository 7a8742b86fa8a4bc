// A stream that leaves window by window, to one rank or to all.
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

/// The sending end of a stream, as a flight. No function here waits. If it is let go before the end of the stream, it
/// tells the readers why, and stays until MPI no longer uses its memory. The readers are told at once, unless some of
/// them have not yet learned that an earlier broadcast of this ring was given up for want of room.
class leaving_stream final : public flight {
 public:
  /// To one rank. It begins with a first message, which may be the whole stream.
  leaving_stream(const communicator& comm, int to, int tag, std::uint64_t fingerprint);
  /// To all ranks: through `ring`, and by messages to `children` on other nodes.
  leaving_stream(const communicator& comm, ring_lease ring, std::vector<int> children, int tag,
                 std::uint64_t fingerprint, std::uint64_t stream);
  ~leaving_stream() override;
  leaving_stream(const leaving_stream&) = delete;
  leaving_stream& operator=(const leaving_stream&) = delete;

  const std::shared_ptr<stream_log>& log() const { return channels_->log(); }

  /// The memory of the first message; null if there is none, or if it has left.
  std::byte* first_data() { return first_ && !open_ ? first_->data : nullptr; }
  std::size_t first_capacity() const { return first_piece_bytes(shared_); }
  /// Sends the first message with this many bytes. Unless it is the whole stream (`all`), windows follow.
  void send_first(std::size_t bytes, bool all);

  /// True if the next window may be written.
  bool has_room();
  byte_window& window() { return ring_->window(ring_->next()); }
  /// Copies bytes into that window.
  void put(std::byte* in_window, const std::byte* from, std::size_t bytes) { ring_->put(in_window, from, bytes); }
  /// True if the receiver has agreed to take windows, or if no receiver is asked.
  bool may_send() { return !answer_ || answer_message_.done(); }
  void send_window(std::size_t bytes, window_state state);
  /// True if readers in shared memory read the windows. They are served better with whole windows than with many small
  /// stores.
  bool is_read_in_place() const { return ring_ && ring_->readers() > (first_ ? 0 : 1); }

  /// True if windows, or the whole stream, leave in messages.
  bool leaves_in_messages() const { return ring_ && !first_ ? has_children_ : !ring_ || !shared_; }

  /// The receiver's reason for not taking the stream, if it has refused.
  std::optional<std::string> refusal() const;
  /// True if the receiver has begun to read. A stream whose receiver does not have to say so counts as accepted.
  bool accepted() const;
  /// True if MPI no longer uses any memory of this stream.
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
  std::unique_ptr<stream_answer> answer_;  // null if the receiver is not asked
  pending_message first_message_, answer_message_;
  ring_lease ring_;
  std::optional<window_sender> sender_;
  std::string reason_;
};

}  // namespace wherry
