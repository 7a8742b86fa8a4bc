// Converts Fortran's arguments, which are all addresses, to C's.
#pragma once

#include <mpi.h>

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/collective/call.hpp"
#include "wherry/collective/fortran.hpp"

#include "signature.hpp"

namespace wherry::preload::fortran {

static_assert(sizeof(MPI_Fint) == sizeof(int), "lists of counts are taken as they are");

using collective::detail::buffer_of_fortran;

inline MPI_Fint integer(const void* address) { return *static_cast<const MPI_Fint*>(address); }

using list_of_types = std::vector<MPI_Datatype>;

/// The lists of types of one call, as C's handles.
struct types_of_call {
  list_of_types send, receive;
};

/// The lengths of the lists of MPI_Alltoallw or MPI_Neighbor_alltoallw: `receivers` is the number of ranks that get
/// data from this one, `senders` the number of ranks that send data to it.
int receivers(collective::kind what, MPI_Comm comm);
int senders(collective::kind what, MPI_Comm comm);

list_of_types types_at(const void* address, int count);

/// Argument I, which has the type T in C.
template <class T, std::size_t I> T argument(void* address, const types_of_call& types) {
  // (With MPICH, C's handles are Fortran's integers.)
  if constexpr (std::is_same_v<T, const MPI_Datatype*> && !std::is_same_v<MPI_Datatype, int>)
    return (I < 4 ? types.send : types.receive).data();
  else if constexpr (std::is_same_v<T, void*> || std::is_same_v<T, const void*>)
    return collective::detail::buffer_of_fortran(address);
  else if constexpr (std::is_same_v<T, const int*> || std::is_same_v<T, const MPI_Aint*>)
    return static_cast<T>(address);
  else if constexpr (std::is_same_v<T, MPI_Comm>)
    return PMPI_Comm_f2c(integer(address));
  else if constexpr (std::is_same_v<T, MPI_Datatype>)
    return PMPI_Type_f2c(integer(address));
  else if constexpr (std::is_same_v<T, MPI_Op>)
    return PMPI_Op_f2c(integer(address));
  else
    return static_cast<T>(integer(address));
}

template <class... Addresses> void* last(Addresses... addresses) {
  return std::get<sizeof...(addresses) - 1>(std::tie(addresses...));
}

/// The call that these arguments make. `Function` is MPI's C function, and `make` is one of the functions of `call`.
template <class Function, class Make, class... Addresses>
collective::call converted(Make make, const types_of_call& types, Addresses... addresses) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return make(argument<parameter<Function, I>, I>(addresses, types)...);
  }(std::index_sequence_for<Addresses...>());
}

/// The lists of types of a call, if it has any. They are its fourth and eighth arguments; the first one is the buffer
/// to send.
template <class... Addresses> types_of_call types_in(collective::kind what, MPI_Comm comm, Addresses... addresses) {
  if constexpr (sizeof...(addresses) == 9) {
    if (what == collective::kind::alltoallw || what == collective::kind::neighbor_alltoallw) {
      const auto all = std::tie(addresses...);
      const bool in_place =
          buffer_of_fortran(std::get<0>(all)) == MPI_IN_PLACE;  // then the arguments for sending mean nothing
      return {types_at(std::get<3>(all), in_place ? 0 : receivers(what, comm)),
              types_at(std::get<7>(all), senders(what, comm))};
    }
  }
  return {};
}

inline void give(int code, void* error) {
  if (error != nullptr) *static_cast<MPI_Fint*>(error) = code;
}

}  // namespace wherry::preload::fortran
