#include "predefined_operations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "wherry/collective/mpi_operations.hpp"
#include "wherry/core/mpi.hpp"

#include "predefined_types.hpp"

namespace wherry::collective {
namespace {

/// A set of types, by the kinds of element that they hold, and pairs.
using type_set = unsigned;
constexpr type_set holding(plans::element_kind one) { return 1u << static_cast<unsigned>(one); }

// The groups of types in the MPI standard.
constexpr type_set integers =
                       holding(plans::element_kind::signed_integer) | holding(plans::element_kind::unsigned_integer),
                   floating = holding(plans::element_kind::floating), complex = holding(plans::element_kind::complex),
                   logical = holding(plans::element_kind::boolean), bytes = holding(plans::element_kind::bytes),
                   pairs = 1u << 31, nothing = 0, unknown = ~nothing;

struct operation_row {
  MPI_Op op;
  std::string_view name;
  type_set types;
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
                                                  {MPI_REPLACE, "MPI_REPLACE", nothing},
                                                  {MPI_NO_OP, "MPI_NO_OP", nothing}}};
  return all;
}

/// An MPI may have predefined types that are not in the table; its operations are defined for them, too.
type_set group_of_other(MPI_Datatype type) {
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
      return nothing;
  }
}

type_set group_of(MPI_Datatype type) {
  for (const auto& row : predefined_types())
    if (row.type == type) return row.pair ? pairs : holding(row.holds);
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

plans::known_operation known_by_mpi(MPI_Op op) {
  return std::apply(
      [op](auto... row) {
        auto found = plans::known_operation::none;
        ((op == detail::mpi_op_of(row.what) ? void(found = row.what) : void()), ...);
        return found;
      },
      wherry::detail::operation_rows);
}

bool is_defined_for(MPI_Op op, MPI_Datatype type) {
  const int place = place_of(op);
  return place == users_operation || (operations()[static_cast<std::size_t>(place) - 1].types & group_of(type)) != 0;
}

}  // namespace wherry::collective
