/// @file
/// The generic all-to-all: anything that an MPI datatype describes, from any rank to any rank (GCL, section 2).
#pragma once

#include <mpi.h>

#include <vector>

#include "wherry/halo/alltoall_exchange.hpp"
#include "wherry/halo/mpi_buffer.hpp"

#include "gcl/detail/split_phase.hpp"
#include "gcl/runtime.hpp"

namespace GCL {

/// The data that goes to, or comes from, one process: an address and a committed datatype. A default packet moves
/// nothing.
template <class T> class packet {
 public:
  packet() = default;
  packet(MPI_Datatype type, T* pointer) : pointer_(pointer), type_(type) {}

  bool full() const { return type_ != MPI_DATATYPE_NULL; }
  T* pointer() const { return pointer_; }
  MPI_Datatype type() const { return type_; }
  bool operator==(const packet&) const = default;

 private:
  T* pointer_ = nullptr;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// An all-to-all between the processes of a communicator: fill `to` and `from` by process, call `setup`, and then
/// exchange any number of times. `wherry::alltoall_exchange` also takes array sections, buffers and structures.
template <class T> class all_to_all : public detail::started_in_halves<all_to_all<T>> {
  using words = detail::started_in_halves<all_to_all>;

 public:
  using value_type = T;

  std::vector<packet<T>> to, from;  ///< one packet for each process

  /// Collective over `comm`.
  /// @param processes the size of `comm`
  /// @throws wherry::error(argument) if `comm` has another size
  explicit all_to_all(int processes, MPI_Comm comm = GCL_WORLD)
      : words("GCL::all_to_all"), comm_(comm), exchange_(comm_) {
    if (processes != comm_.size())
      throw wherry::error(wherry::error_kind::argument, "GCL::all_to_all",
                          wherry::detail::text("'processes' is ", processes, ", expected ", comm_.size(),
                                               ", the size of the communicator"),
                          comm_.rank());
    to.resize(static_cast<std::size_t>(processes));
    from.resize(static_cast<std::size_t>(processes));
  }

  /// Records the packets as they are now. Collective over the communicator. A datatype may be freed afterwards.
  void setup() {
    exchange_.clear();
    for (std::size_t process = 0; process < to.size(); ++process)
      if (to[process].full())
        exchange_.send(static_cast<int>(process), wherry::mpi_buffer(to[process].pointer(), 1, to[process].type()));
    for (std::size_t process = 0; process < from.size(); ++process)
      if (from[process].full())
        exchange_.receive(static_cast<int>(process),
                          wherry::mpi_buffer(from[process].pointer(), 1, from[process].type()));
    exchange_.commit();
    sent_ = to;
    received_ = from;
  }

 private:
  friend words;
  void begin() {
    if (to != sent_ || from != received_)
      throw wherry::error(wherry::error_kind::state, "GCL::all_to_all",
                          "packets were changed after 'setup': call 'setup' again, on all ranks", comm_.rank());
    exchange_.start();
  }
  void end() { exchange_.wait(); }

  wherry::communicator comm_;
  wherry::alltoall_exchange exchange_;
  std::vector<packet<T>> sent_, received_;
};

}  // namespace GCL
