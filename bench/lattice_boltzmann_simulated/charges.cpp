// The linker (`--wrap` in bench/simulated.cmake) redirects calls of functions that copy to the functions in this file,
// which let simulated time pass before the caller goes on. Neither the library nor the application notices this. A
// wrong name in either file does not link.
#include "charges.hpp"

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "wherry/plan/copy_engine.hpp"

#include "lattice_boltzmann/pack.hpp"

namespace charges {
namespace {

constexpr double speed = 10e9;  // operations of a simulated processor in a tick

rates now;
double owed = 0;      // ticks, less than one
double arriving = 0;  // bytes that MPI will unpack by itself

/// Lets whole ticks pass (see tools/run/simgrid.py) and keeps the rest for later.
void pass(double ticks) {
  owed += ticks;
  const double whole = std::floor(owed);
  owed -= whole;
  if (whole > 0) smpi_execute_flops(whole * speed);
}

/// The bytes that MPI itself packs or unpacks, which it does for datatypes of the user.
double of_user_types(int count, MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0, bytes = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) return 0;
  PMPI_Type_size(type, &bytes);
  return static_cast<double>(count) * bytes;
}

double bytes_of(const lattice_boltzmann::range3& cells, std::span<const int> which) {
  return static_cast<double>(lattice_boltzmann::size_of(cells) * which.size() * sizeof(double));
}

/// (This file is compiled without access control, because no other code needs these private members.)
double bytes_of(const wherry::detail::direct_copies& copies) {
  std::int64_t bytes = 0;
  for (const auto& list : copies.lists_)
    for (const auto& c : copies.plan_->rows_of(list)) bytes += copies.plan_->what(c.from).bytes();
  return static_cast<double>(bytes);
}

}  // namespace

void set(const rates& wanted) { now = wanted; }
void computed(long cells) { pass(static_cast<double>(cells) * now.ticks_a_cell); }
void copied(double bytes) { pass(bytes * now.ticks_a_byte); }

using lattice_boltzmann::populations;
using lattice_boltzmann::range3;
using wherry::detail::direct_copies;
using wherry::detail::message_packing;
using wherry::plans::field_table;

/// Begins the definition of the replacement of a function; the original becomes `real_NAME`.
#define HANDED_OVER(result, name, symbol, ...)           \
  result real_##name(__VA_ARGS__) asm("__real_" symbol); \
  result name(__VA_ARGS__) asm("__wrap_" symbol);        \
  result name(__VA_ARGS__)

// ------------------------------------------------------------------------------------------- what the application
// packs

HANDED_OVER(double*, pack_cells,
            "_ZN17lattice_boltzmann10pack_cellsERKNS_11populationsERKNS_6range3ESt4spanIKiLm18446744073709551615EEPd",
            const populations& f, const range3& cells, std::span<const int> which, double* to) {
  copied(now.copies_a_pack * bytes_of(cells, which));
  return real_pack_cells(f, cells, which, to);
}

HANDED_OVER(
    const double*, unpack_cells,
    "_ZN17lattice_boltzmann12unpack_cellsEPKdRKNS_11populationsERKNS_6range3ESt4spanIKiLm18446744073709551615EE",
    const double* from, const populations& f, const range3& cells, std::span<const int> which) {
  copied(bytes_of(cells, which));
  return real_unpack_cells(from, f, cells, which);
}

// ------------------------------------------------------------------------------------------------------ what MPI packs

HANDED_OVER(int, isend, "MPI_Isend", const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
            MPI_Request* request) {
  copied(of_user_types(count, type));
  return real_isend(from, count, type, to, tag, comm, request);
}

HANDED_OVER(int, irecv, "MPI_Irecv", void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
            MPI_Request* request) {
  arriving += of_user_types(count, type);
  return real_irecv(into, count, type, from, tag, comm, request);
}

HANDED_OVER(int, waitall, "MPI_Waitall", int count, MPI_Request* requests, MPI_Status* statuses) {
  const int status = real_waitall(count, requests, statuses);
  copied(std::exchange(arriving, 0));
  return status;
}

// --------------------------------------------------------------------------------------------------- what Wherry
// copies

HANDED_OVER(void, pack, "_ZNK6wherry15message_packing4packESt4spanIKPvLm18446744073709551615EEPSt4byte",
            const message_packing* self, field_table fields, std::byte* wire) {
  copied(static_cast<double>(self->bytes()));
  real_pack(self, fields, wire);
}

HANDED_OVER(void, pack_in_bulk,
            "_ZNK6wherry15message_packing12pack_in_bulkESt4spanIKPvLm18446744073709551615EES1_ISt4byteLm"
            "18446744073709551615EEPS5_",
            const message_packing* self, field_table fields, std::span<std::byte> bounce, std::byte* wire) {
  copied(static_cast<double>(self->bytes()));
  real_pack_in_bulk(self, fields, bounce, wire);
}

HANDED_OVER(void, unpack, "_ZNK6wherry15message_packing6unpackESt4spanIKPvLm18446744073709551615EEPKSt4byte",
            const message_packing* self, field_table fields, const std::byte* wire) {
  copied(static_cast<double>(self->bytes()));
  real_unpack(self, fields, wire);
}

HANDED_OVER(void, run, "_ZNK6wherry13direct_copies3runESt4spanIKPvLm18446744073709551615EES4_",
            const direct_copies* self, field_table from, field_table to) {
  copied(bytes_of(*self));
  real_run(self, from, to);
}

}  // namespace charges
