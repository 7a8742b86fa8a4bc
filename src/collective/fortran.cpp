#include "wherry/collective/fortran.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <array>

namespace wherry::collective {
namespace {

// A program without Fortran lacks these variables: they are null.
struct variables {
  const void* in_place;
  const void* bottom;
};

#if defined(OPEN_MPI)
variables find() { return {dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_"), dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_")}; }
variables of_mpi() {
  static const variables found = find();
  return found;
}
variables of_mpi_f08() { return of_mpi(); }
#else
// In the MPICH family these are pointers to the variables, set by MPI_Init when Fortran calls it.
const void* pointed_to(const void* pointer) {
  return pointer != nullptr ? *static_cast<const void* const*>(pointer) : nullptr;
}
variables of_mpi() {
  static const void* const in_place = dlsym(RTLD_DEFAULT, "MPIR_F_MPI_IN_PLACE");
  static const void* const bottom = dlsym(RTLD_DEFAULT, "MPIR_F_MPI_BOTTOM");
  return {pointed_to(in_place), pointed_to(bottom)};
}
variables of_mpi_f08() {
  static const void* const in_place = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_IN_PLACE");
  static const void* const bottom = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_BOTTOM");
  return {in_place, bottom};
}
#endif

}  // namespace

void* detail::buffer_of_fortran(void* address) {
  if (address == nullptr) return address;
  for (const auto& special : std::array{of_mpi(), of_mpi_f08()}) {
    if (address == special.in_place) return MPI_IN_PLACE;
    if (address == special.bottom) return MPI_BOTTOM;
  }
  return address;
}

}  // namespace wherry::collective
