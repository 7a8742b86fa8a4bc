// The messages of one stage of a call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "scratch.hpp"

namespace wherry::collective {

/// Sends and receives by MPI. It keeps its memory between stages.
class stage_messages {
 public:
  stage_messages() = default;
  explicit stage_messages(scratch_pool&) {}
  void begin(const communicator& comm, int tag) {
    comm_ = comm.private_handle();
    tag_ = tag;
  }
  /// Messages longer than WHERRY_MESSAGE_LIMIT are sent in parts. Empty ones are sent only with `even_empty`.
  void receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty = false);
  void send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty = false);
  /// Sends or receives in one part, whatever the limit. The message that arrives may be shorter; the result is its
  /// number for `is_there`.
  void send_head(const std::byte* from, std::int64_t bytes, int peer);
  std::size_t receive_head(std::byte* into, std::int64_t most, int peer);
  static std::int64_t most_at_once() { return std::numeric_limits<int>::max(); }
  bool is_there(std::size_t number) const;
  /// True once all messages have arrived and left, and from then on.
  bool done();
  void append_missing(std::vector<int>& ranks) const;
  /// Cancels what has not arrived, as far as MPI can: the memory may soon be reused.
  void cancel() noexcept;

 private:
  template <class Post> void post(std::int64_t bytes, int peer, bool even_empty, Post&& post_part);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;
};

/// A condition for `until`.
/// @tparam Messages these, or another class with their functions
template <class Messages> struct all_there {
  Messages& messages;
  bool operator()() const { return messages.done(); }
  void append_missing(std::vector<int>& ranks) const { messages.append_missing(ranks); }
};

}  // namespace wherry::collective
