// The point-to-point requests of one stage, for carriers that make them anew at every start.
#pragma once

#include <mpi.h>

#include <functional>
#include <string_view>
#include <vector>

namespace wherry {

/// True if a request is under way; false for MPI_REQUEST_NULL and for a request that was not started.
bool is_incomplete(MPI_Request request);

/// Keeps its memory between starts, so that only the first start allocates.
class message_requests {
 public:
  message_requests(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}
  message_requests(message_requests&&) noexcept = default;
  message_requests& operator=(message_requests&&) noexcept = default;

  /// Forgets the requests of the last start, which must be complete.
  void clear();
  void receive(void* into, int count, MPI_Datatype type, int peer);
  void send(const void* from, int count, MPI_Datatype type, int peer);

  /// True once all are complete. It stays true.
  bool done();

  struct destination {
    void* into;
    int count;
    MPI_Datatype type;
  };
  /// Ends all requests, so that their memory can be given back. Sends, and receives that already have a message, must
  /// be waited for, because MPI offers nothing else. The other receives, which come before all sends, are posted again:
  /// `elsewhere` gives the new target for the number of a receive.
  /// @throws error(timeout) that names the peers, if it takes longer than `seconds`
  void withdraw(std::string_view where, double seconds, const std::function<destination(std::size_t)>& elsewhere);

  void append_missing(std::vector<int>& peers) const;

 private:
  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;  // the peer of each request
  std::vector<char> is_receive_;

  /// Waits for the receives, or for the sends, and appends those that were cancelled.
  void end(bool receives, std::string_view where, double seconds, std::vector<std::size_t>& cancelled);
};

}  // namespace wherry
