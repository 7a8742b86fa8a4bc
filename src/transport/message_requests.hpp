// The point-to-point requests that one stage has under way, for the carriers that make them anew at every start.
#pragma once

#include <mpi.h>

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
  /// Gives up what is still under way: only when an error is.
  ~message_requests();

  /// Forgets the last start's requests, which must be complete.
  void clear();
  void receive(void* into, int count, MPI_Datatype type, int peer);
  void send(const void* from, int count, MPI_Datatype type, int peer);

  /// True once all are complete, and from then on.
  bool done();
  void append_missing(std::vector<int>& peers) const;

 private:
  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;  // who a request waits for
  std::vector<char> is_receive_;
};

}  // namespace wherry
