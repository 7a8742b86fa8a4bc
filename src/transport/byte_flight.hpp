// Byte streams in flight. All of a stream is in memory at the end that sends, and comes to be at the end that receives.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/transport/byte_channels.hpp"

#include "byte_ring.hpp"
#include "byte_waiting.hpp"
#include "byte_window.hpp"
#include "progress_thread.hpp"

namespace wherry {

/// A whole stream: the first message, and windows.
class window_list {
 public:
  std::unique_ptr<first_piece> first{new first_piece};
  std::vector<std::unique_ptr<byte_window>> windows;
};

std::unique_ptr<byte_source> read_list(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                       int writer, std::unique_ptr<window_list> list);

/// Driven by the user's calls, and by whoever waits for anything: only the holder of the turn does.
struct byte_flight::state : progressive {
  state(std::string_view where_, const communicator& comm_) : where(where_), comm(comm_) { in_flight_.store(true); }

  bool test();
  void progress() noexcept final;
  bool over() const { return !in_flight(); }

  /// Makes progress; true when all is done. Throws for what ends it early.
  virtual bool advance() = 0;
  virtual void append_missing(std::vector<int>& ranks) const = 0;
  virtual std::unique_ptr<byte_source> bytes() { return nullptr; }
  virtual int source() const { return -1; }

  std::string where;
  communicator comm;

 private:
  std::exception_ptr failure_;
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
              std::uint64_t fingerprint, std::unique_ptr<window_list> list, int body_tag);
  bool advance() override { return messages_.done(); }
  void append_missing(std::vector<int>& ranks) const override { messages_.append_missing(ranks); }

 private:
  std::unique_ptr<window_list> list_;
  posted_messages messages_;
};

/// A stream that arrives, and is passed on to other ranks on the way.
struct receive_flight final : byte_flight::state {
  receive_flight(std::string_view where, const communicator& comm, int from, int tag, std::uint64_t fingerprint,
                 std::vector<int> to);
  bool advance() override;
  void append_missing(std::vector<int>& ranks) const override;
  std::unique_ptr<byte_source> bytes() override;
  int source() const override { return from_; }

 private:
  void look_at_first();
  bool advance_ring();
  bool advance_messages();
  void post_windows();
  void pass_on(const void* from, std::size_t bytes);
  void keep_failure(std::string_view what, error_kind kind);

  int from_, tag_, body_tag_ = 0;
  std::uint64_t fingerprint_;
  std::vector<int> to_;
  std::unique_ptr<window_list> list_;
  pending_message first_message_, answer_message_;
  stream_answer answer_;
  bool first_here_ = false, complete_ = false;
  std::optional<ring_reader> ring_;
  std::vector<pending_message> receives_;  // of windows, and of the empty messages after them
  std::size_t arrived_ = 0;
  posted_messages passed_on_;
  std::optional<error> failure_;
};

}  // namespace wherry
