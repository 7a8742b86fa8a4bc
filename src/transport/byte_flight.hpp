// Byte streams in flight. All of a stream is in memory at the end that sends, and comes to be at the end that receives.
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

/// A whole stream: the first message, and windows.
class window_list {
 public:
  explicit window_list(std::unique_ptr<first_piece> begin = std::unique_ptr<first_piece>(new first_piece))
      : first(std::move(begin)) {}

  std::unique_ptr<first_piece> first;
  std::vector<std::unique_ptr<byte_window>> windows;
};

/// What has arrived, and been counted.
std::unique_ptr<byte_source> read_list(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                       int writer, std::unique_ptr<window_list> list);

struct byte_flight::state : flight {
  state(std::string_view where_, const communicator& comm_, std::shared_ptr<stream_record> record_)
      : where(where_), comm(comm_), record(std::move(record_)) {
    take_off();
  }

  bool test();
  bool over() const { return !in_flight(); }

  /// Makes progress; true when all is done, also where `problem` says that the stream was no good.
  virtual bool move() = 0;
  /// What its owner, whoever drives it, has yet to do; may throw.
  virtual void at_the_end() {}
  virtual void append_missing(std::vector<int>& ranks) const = 0;
  /// "to rank 3": where it goes, or comes from.
  virtual std::string other_end() const = 0;
  virtual std::unique_ptr<byte_source> bytes() { return nullptr; }
  virtual int source() const { return -1; }
  /// Its owner is gone, and this may not be driven any more: nobody is to wait for this rank, where that can be helped.
  /// True: all is over.
  virtual bool let_go() noexcept;

  /// Takes back what has not begun, which ends it, unless it begins at this moment. False: it has begun.
  virtual bool withdraw() { return false; }
  virtual bool was_withdrawn() const { return false; }

  std::string_view where;
  communicator comm;
  std::shared_ptr<stream_record> record;  // what has moved; a part of another flight adds to that one's
  std::exception_ptr problem;             // with what has come, or why it has not
  bool waited_in_vain = false;

 private:
  bool advance() final;
  /// What `let_go` says to others; more than once, since a rank that comes back drives this again.
  virtual void tell_others() {}

  bool has_left_ = false;
};

/// Messages that are under way from memory which stays.
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
  std::size_t first_ = 0;  // those before are done
};

/// A packed stream on its way to some ranks. Windows go by `body_tag`.
struct send_flight final : byte_flight::state {
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
  std::optional<stray_streams> others_;  // what no other rank may send
};

/// A stream that arrives, and is passed on to other ranks on the way.
struct receive_flight final : byte_flight::state {
  receive_flight(std::string_view where, const communicator& comm, int from, int tag, std::uint64_t fingerprint);
  /// A part of the arrival of a broadcast.
  /// @param named its root
  receive_flight(std::string_view where, const communicator& comm, int from, int tag, std::uint64_t fingerprint,
                 std::vector<int> to, int named, std::shared_ptr<stream_record> record);
  /// Goes on where the receiver of the first message has given up.
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
