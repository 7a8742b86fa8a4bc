// Byte streams in flight. The sender holds the whole stream in memory, and the receiver collects it in memory before it
// is read.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_ring.hpp"
#include "byte_roots.hpp"
#include "byte_waiting.hpp"
#include "byte_window.hpp"
#include "channel/pending_message.hpp"
#include "flight/flight.hpp"
#include "stream_log.hpp"

namespace wherry {

/// A whole stream in memory: its first message, and the windows that follow.
class window_list {
 public:
  explicit window_list(std::unique_ptr<first_piece> begin = std::unique_ptr<first_piece>(new first_piece))
      : first(std::move(begin)) {}

  std::unique_ptr<first_piece> first;
  std::vector<std::unique_ptr<byte_window>> windows;
};

/// A source that reads a list which has arrived and has been counted.
std::unique_ptr<byte_source> read_list(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                       int writer, std::unique_ptr<window_list> list);

struct detail::byte_flight::state : flight {
  state(std::string_view where_, const communicator& comm_, std::shared_ptr<stream_record> record_)
      : where(where_), comm(comm_), record(std::move(record_)) {
    take_off();
  }

  bool test();
  bool over() const { return !in_flight(); }

  /// Makes progress. Returns true when the stream has ended, even if `problem` says that it failed.
  virtual bool move() = 0;
  /// Work that is left to the owner, no matter which thread drove the stream to its end. It may throw.
  virtual void at_the_end() {}
  virtual void append_missing(std::vector<int>& ranks) const = 0;
  /// The other end of the stream, for messages: "to rank 3".
  virtual std::string other_end() const = 0;
  virtual std::unique_ptr<byte_source> bytes() { return nullptr; }
  virtual int source() const { return -1; }
  /// Called when the owner is gone, and this stream is perhaps never driven again. It tells the peers, if it can, that
  /// they must not wait for this rank. Returns true if the stream has ended.
  virtual bool let_go() noexcept;

  /// Takes back a receive for which nothing has come, which ends it. A message that comes at this moment may still win;
  /// `was_withdrawn` tells. Returns false if the stream has begun.
  virtual bool withdraw() { return false; }
  virtual bool was_withdrawn() const { return false; }

  std::string_view where;
  communicator comm;
  std::shared_ptr<stream_record> record;  // counts the moved data; parts of one flight share it
  std::exception_ptr problem;             // an error that came with the stream, or why it failed
  bool waited_in_vain = false;

 private:
  bool advance() final;
  /// Called by `let_go` to tell the peers. It may be called again, because the stream is driven further.
  virtual void tell_others() {}

  bool has_left_ = false;
};

/// Messages that are under way from memory that outlives them.
class posted_messages {
 public:
  void add(const communicator& comm, const void* from, std::size_t bytes, int to, int tag);
  bool done();
  void append_missing(std::vector<int>& ranks) const;

 private:
  struct entry {
    pending_message message;
    int to;
  };
  std::vector<entry> entries_;
  std::size_t first_ = 0;  // those before it are done
};

/// A packed stream on its way to some ranks. The windows use the tag `body_tag`.
struct send_flight final : detail::byte_flight::state {
  send_flight(std::string_view where, const communicator& comm, const std::vector<int>& to, int tag,
              std::uint64_t fingerprint, std::unique_ptr<window_list> list, int body_tag,
              std::optional<stray_streams> others = {});
  bool move() override { return messages_.done(); }
  void at_the_end() override;
  void append_missing(std::vector<int>& ranks) const override { messages_.append_missing(ranks); }
  std::string other_end() const override;

 private:
  void count() const;

  std::vector<int> to_;
  std::unique_ptr<window_list> list_;
  posted_messages messages_;
  std::optional<stray_streams> others_;  // streams of other roots, which must not come
};

/// A stream that arrives and is passed on to other ranks on the way.
struct receive_flight final : detail::byte_flight::state {
  receive_flight(std::string_view where, const communicator& comm, int from, int tag, std::uint64_t fingerprint);
  /// A part of the arrival of a broadcast.
  /// @param named the root that this rank has named
  receive_flight(std::string_view where, const communicator& comm, int from, int tag, std::uint64_t fingerprint,
                 std::vector<int> to, int named, std::shared_ptr<stream_record> record);
  /// Continues a receive whose caller has given up waiting for the first message.
  receive_flight(std::string_view where, const communicator& comm, int from, std::uint64_t fingerprint,
                 std::unique_ptr<first_piece> first, pending_message first_message);
  bool move() override;
  void append_missing(std::vector<int>& ranks) const override;
  std::string other_end() const override { return from_ < 0 ? "from any rank" : detail::text("from rank ", from_); }
  std::unique_ptr<byte_source> bytes() override;
  int source() const override { return from_; }
  bool withdraw() override;
  bool was_withdrawn() const override { return withdrawn_; }
  bool owes() const override { return in_flight() && first_here_ && !(ring_ && has_left_ring_); }

 private:
  void tell_others() override;
  void look_at_first();
  bool advance_ring();
  bool advance_messages();
  void post_windows();
  void count(const byte_window& window);
  void pass_on(const void* from, std::size_t bytes);
  void fail(std::string_view what, int peer, error_kind kind);
  void fail_abandoned(const std::byte* why, std::size_t bytes);

  int from_, tag_, named_ = -1, body_tag_ = 0;
  std::uint64_t fingerprint_;
  std::vector<int> to_;
  std::unique_ptr<window_list> list_;
  pending_message first_message_, answer_message_;
  stream_answer answer_;
  bool first_here_ = false, complete_ = false, withdrawing_ = false, withdrawn_ = false, has_left_ring_ = false;
  std::optional<ring_reader> ring_;
  std::vector<pending_message> receives_;  // of windows, and of the empty messages after them
  std::size_t arrived_ = 0;
  posted_messages passed_on_;
};

}  // namespace wherry
