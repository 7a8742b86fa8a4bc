#include "communicator_attribute.hpp"

#include "wherry/core/mpi.hpp"

#include "stay_loaded.hpp"

namespace wherry::detail {
namespace {

using kept_value = std::shared_ptr<void>;

extern "C" int wherry_forget_attribute(MPI_Comm, int, void* attribute, void*) {
  if (!is_forked_child()) delete static_cast<kept_value*>(attribute);  // in a child it belongs to the parent
  return MPI_SUCCESS;
}

}  // namespace

int make_attribute_key() {
  stay_loaded();
  int key = MPI_KEYVAL_INVALID;
  check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, wherry_forget_attribute, &key, nullptr),
            "MPI_Comm_create_keyval");
  return key;
}

void* find_attribute(MPI_Comm comm, int key) {
  void* attribute = nullptr;
  int found = 0;
  check_mpi(PMPI_Comm_get_attr(comm, key, static_cast<void*>(&attribute), &found), "MPI_Comm_get_attr");
  return found != 0 ? static_cast<kept_value*>(attribute)->get() : nullptr;
}

void set_attribute(MPI_Comm comm, int key, kept_value value) {
  auto kept = std::make_unique<kept_value>(std::move(value));
  check_mpi(PMPI_Comm_set_attr(comm, key, kept.get()), "MPI_Comm_set_attr");
  static_cast<void>(kept.release());
}

}  // namespace wherry::detail
