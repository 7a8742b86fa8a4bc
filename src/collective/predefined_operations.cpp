#include "predefined_operations.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/core/mpi.hpp"

namespace wherry::collective {
namespace {

/// The groups of types in the MPI standard, as bits. (The standard has MPI_CHAR for printable text; both families of
/// MPIs treat it as a small integer.)
enum group : std::uint8_t {
  integers = 1,
  floating = 2,
  complex = 4,
  logical = 8,
  bytes = 16,
  pairs = 32,
  none = 0,
  unknown = 255
};

struct operation_row {
  MPI_Op op;
  std::string_view name;
  int types;  // a set of groups
};

/// By place, counted from 1.
const std::array<operation_row, 14>& operations() {
  static const std::array<operation_row, 14> all{{{MPI_MAX, "MPI_MAX", integers | floating},
                                                  {MPI_MIN, "MPI_MIN", integers | floating},
                                                  {MPI_SUM, "MPI_SUM", integers | floating | complex},
                                                  {MPI_PROD, "MPI_PROD", integers | floating | complex},
                                                  {MPI_LAND, "MPI_LAND", integers | logical},
                                                  {MPI_BAND, "MPI_BAND", integers | bytes},
                                                  {MPI_LOR, "MPI_LOR", integers | logical},
                                                  {MPI_BOR, "MPI_BOR", integers | bytes},
                                                  {MPI_LXOR, "MPI_LXOR", integers | logical},
                                                  {MPI_BXOR, "MPI_BXOR", integers | bytes},
                                                  {MPI_MAXLOC, "MPI_MAXLOC", pairs},
                                                  {MPI_MINLOC, "MPI_MINLOC", pairs},
                                                  {MPI_REPLACE, "MPI_REPLACE", none},
                                                  {MPI_NO_OP, "MPI_NO_OP", none}}};
  return all;
}

struct type_row {
  MPI_Datatype type;
  group of;
};

/// A type that an MPI does not have may be MPI_DATATYPE_NULL, which is never looked up.
const std::vector<type_row>& types() {
  static const std::vector<type_row> all{{MPI_DOUBLE, floating},
                                         {MPI_FLOAT, floating},
                                         {MPI_INT, integers},
                                         {MPI_LONG, integers},
                                         {MPI_LONG_LONG, integers},
                                         {MPI_SHORT, integers},
                                         {MPI_CHAR, integers},
                                         {MPI_SIGNED_CHAR, integers},
                                         {MPI_UNSIGNED_CHAR, integers},
                                         {MPI_UNSIGNED, integers},
                                         {MPI_UNSIGNED_SHORT, integers},
                                         {MPI_UNSIGNED_LONG, integers},
                                         {MPI_UNSIGNED_LONG_LONG, integers},
                                         {MPI_INT8_T, integers},
                                         {MPI_INT16_T, integers},
                                         {MPI_INT32_T, integers},
                                         {MPI_INT64_T, integers},
                                         {MPI_UINT8_T, integers},
                                         {MPI_UINT16_T, integers},
                                         {MPI_UINT32_T, integers},
                                         {MPI_UINT64_T, integers},
                                         {MPI_AINT, integers},
                                         {MPI_COUNT, integers},
                                         {MPI_OFFSET, integers},
                                         {MPI_INTEGER, integers},
                                         {MPI_LONG_DOUBLE, floating},
                                         {MPI_REAL, floating},
                                         {MPI_DOUBLE_PRECISION, floating},
                                         {MPI_C_COMPLEX, complex},
                                         {MPI_C_FLOAT_COMPLEX, complex},
                                         {MPI_C_DOUBLE_COMPLEX, complex},
                                         {MPI_C_LONG_DOUBLE_COMPLEX, complex},
                                         {MPI_COMPLEX, complex},
                                         {MPI_DOUBLE_COMPLEX, complex},
                                         {MPI_C_BOOL, logical},
                                         {MPI_LOGICAL, logical},
                                         {MPI_BYTE, bytes},
                                         {MPI_2INT, pairs},
                                         {MPI_FLOAT_INT, pairs},
                                         {MPI_DOUBLE_INT, pairs},
                                         {MPI_LONG_INT, pairs},
                                         {MPI_SHORT_INT, pairs},
                                         {MPI_LONG_DOUBLE_INT, pairs},
                                         {MPI_2INTEGER, pairs},
                                         {MPI_2REAL, pairs},
                                         {MPI_2DOUBLE_PRECISION, pairs},
                                         {MPI_CHARACTER, none},
                                         {MPI_WCHAR, none},
                                         {MPI_PACKED, none}};
  return all;
}

/// An MPI may have predefined types that are not in the table; its operations are defined for them, too.
group group_of_other(MPI_Datatype type) {
  int integers_there = 0, addresses = 0, types_there = 0, combiner = 0;
  check_mpi(PMPI_Type_get_envelope(type, &integers_there, &addresses, &types_there, &combiner),
            "MPI_Type_get_envelope");
  switch (combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
      return unknown;
    default:
      return none;
  }
}

group group_of(MPI_Datatype type) {
  for (const auto& row : types())
    if (row.type == type) return row.of;
  return group_of_other(type);
}

}  // namespace

int place_of(MPI_Op op) {
  const auto& all = operations();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].op == op) return static_cast<int>(i) + 1;
  return users_operation;
}

std::string_view name_of_operation(int place) {
  const auto& all = operations();
  return place >= 1 && place <= static_cast<int>(all.size()) ? all[static_cast<std::size_t>(place) - 1].name
                                                             : "a user's";
}

bool is_defined_for(MPI_Op op, MPI_Datatype type) {
  const int place = place_of(op);
  return place == users_operation || (operations()[static_cast<std::size_t>(place) - 1].types & group_of(type)) != 0;
}

}  // namespace wherry::collective
