#include "predefined_types.hpp"

#include <initializer_list>
#include <type_traits>
#include <vector>

namespace wherry::collective {
namespace {

std::vector<predefined_type> list_all() {
  std::vector<predefined_type> all;
  const auto add = [&](plans::element_kind held, std::initializer_list<MPI_Datatype> types) {
    for (const auto type : types) all.push_back({type, held});
  };
  using enum plans::element_kind;
  add(floating, {MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL});
  add(signed_integer, {MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_SHORT, MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INT16_T,
                       MPI_INT32_T, MPI_INT64_T, MPI_INTEGER, MPI_AINT, MPI_COUNT, MPI_OFFSET});
  add(unsigned_integer, {MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UNSIGNED_SHORT, MPI_UNSIGNED_CHAR,
                         MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T});
  // The standard has MPI_CHAR for printable text; both families of MPIs treat it as a small integer.
  add(std::is_signed_v<char> ? signed_integer : unsigned_integer, {MPI_CHAR});
  add(plans::element_kind::complex, {MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
                                     MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX});
  add(boolean, {MPI_C_BOOL, MPI_LOGICAL});
  add(bytes, {MPI_BYTE});
  add(users, {MPI_CHARACTER, MPI_WCHAR, MPI_PACKED});
  for (const auto type : {MPI_2INT, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
                          MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION})
    all.push_back({type, users, true});
  return all;
}

}  // namespace

std::span<const predefined_type> predefined_types() {
  static const auto all = list_all();
  return all;
}

}  // namespace wherry::collective
