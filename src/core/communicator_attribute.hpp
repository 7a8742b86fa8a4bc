// What the library keeps with a communicator of MPI's and gives up with it: MPI's attributes, typed.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

namespace wherry {
namespace detail {

/// A key for one kind of value. Never freed: communicators may have it until MPI has ended.
int make_attribute_key();
/// Null where there is none.
void* find_attribute(MPI_Comm comm, int key);
void set_attribute(MPI_Comm comm, int key, std::shared_ptr<void> value);

}  // namespace detail

/// At most one `Value` a communicator, destroyed when MPI frees that, of MPI_COMM_SELF when MPI_Finalize begins; copies
/// of the communicator do not get it. Not to be used before MPI_Init. One at a time: callers that may be several
/// threads bring a lock.
template <class Value> class communicator_attribute {
 public:
  static Value* find(MPI_Comm comm) { return static_cast<Value*>(detail::find_attribute(comm, key())); }

  static Value& set(MPI_Comm comm, std::unique_ptr<Value> value) {
    auto& kept = *value;
    detail::set_attribute(comm, key(), std::move(value));
    return kept;
  }

 private:
  static int key() {
    static const int made = detail::make_attribute_key();
    return made;
  }
};

}  // namespace wherry
