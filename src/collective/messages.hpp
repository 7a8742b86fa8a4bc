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

/// Keeps its memory between stages.
class stage_messages {
 public:
  stage_messages() = default;
  explicit stage_messages(scratch_pool&) {}
  void begin(const communicator& comm, int tag) {
    comm_ = comm.handle();
    tag_ = tag;
  }
  /// Longer ones than WHERRY_MESSAGE_LIMIT go in parts. Empty ones go only where `even_empty`.
  void receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty = false);
  void send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty = false);
  /// In one piece, whatever the limit. One that is received may be shorter; gives its number for `is_there`.
  void send_head(const std::byte* from, std::int64_t bytes, int peer);
  std::size_t receive_head(std::byte* into, std::int64_t most, int peer);
  static std::int64_t most_at_once() { return std::numeric_limits<int>::max(); }
  bool is_there(std::size_t number) const;
  /// True once all are there and gone, and from then on.
  bool done();
  void append_missing(std::vector<int>& ranks) const;
  /// Takes back what has not come, as far as MPI can: its memory may be somebody else's soon.
  void cancel() noexcept;

 private:
  template <class Post> void post(std::int64_t bytes, int peer, bool even_empty, Post&& post_part);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;
};

/// To be waited for. @tparam Messages these, or others that have their functions
template <class Messages> struct all_there {
  Messages& messages;
  bool operator()() const { return messages.done(); }
  void append_missing(std::vector<int>& ranks) const { messages.append_missing(ranks); }
};

}  // namespace wherry::collective
