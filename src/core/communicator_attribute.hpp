// Values that the library keeps with an MPI communicator and destroys with it: typed MPI attributes.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

namespace wherry {
namespace detail {

/// Makes a key for one kind of value. It is never freed, because communicators may hold it until MPI has ended.
int make_attribute_key();
/// The value; null if there is none.
void* find_attribute(MPI_Comm comm, int key);
void set_attribute(MPI_Comm comm, int key, std::shared_ptr<void> value);

}  // namespace detail

/// At most one `Value` for each communicator. It is destroyed when MPI frees the communicator, or, on MPI_COMM_SELF,
/// when MPI_Finalize begins; a duplicate of the communicator does not get it. MPI must be running. Not thread safe:
/// callers that may be several threads hold a lock.
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
