// The point-to-point requests that one stage has under way, for the carriers that make them anew at every start.
#pragma once

#include <mpi.h>

#include <functional>
#include <string_view>
#include <vector>

namespace wherry {

/// Whether a request is under way; none, and one that is not started, is not.
bool is_incomplete(MPI_Request request);

/// Keeps its memory between starts, so that only the first one allocates.
class message_requests {
 public:
  message_requests(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}
  message_requests(message_requests&&) noexcept = default;
  message_requests& operator=(message_requests&&) noexcept = default;

  /// Forgets the last start's requests, which must be complete.
  void clear();
  void receive(void* into, int count, MPI_Datatype type, int peer);
  void send(const void* from, int count, MPI_Datatype type, int peer);

  /// True once all are complete, and from then on.
  bool done();

  struct destination {
    void* into;
    int count;
    MPI_Datatype type;
  };
  /// Gives the memory of all requests back. What has a message already, and what is sent, is waited for, as MPI leaves
  /// no other way; the other receives, which come before all sends, go `elsewhere`, which is asked by their number.
  /// @throws error(timeout) naming the peers when that takes longer than `seconds`
  void withdraw(std::string_view where, double seconds, const std::function<destination(std::size_t)>& elsewhere);

  void append_missing(std::vector<int>& peers) const;

 private:
  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;  // who a request waits for
  std::vector<char> is_receive_;

  /// Waits for the receives, or for the sends; appends those that were cancelled.
  void end(bool receives, std::string_view where, double seconds, std::vector<std::size_t>& cancelled);
};

}  // namespace wherry
