#include "predefined_types.hpp"

#include <initializer_list>
#include <vector>

namespace wherry::collective {
namespace {

std::vector<predefined_type> list_all() {
  std::vector<predefined_type> all;
  const auto add = [&](sort_of_value held, std::initializer_list<MPI_Datatype> types) {
    for (const auto type : types) all.push_back({type, held});
  };
  using enum sort_of_value;
  add(floating, {MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL});
  add(with_sign, {MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_SHORT, MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T,
                  MPI_INT64_T, MPI_INTEGER, MPI_AINT, MPI_COUNT, MPI_OFFSET});
  add(without_sign, {MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UNSIGNED_SHORT, MPI_UNSIGNED_CHAR,
                     MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T});
  add(character, {MPI_CHAR});
  add(complex, {MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX,
                MPI_DOUBLE_COMPLEX});
  add(logical, {MPI_C_BOOL, MPI_LOGICAL});
  add(bytes, {MPI_BYTE});
  add(pair, {MPI_2INT, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT, MPI_2INTEGER,
             MPI_2REAL, MPI_2DOUBLE_PRECISION});
  add(other, {MPI_CHARACTER, MPI_WCHAR, MPI_PACKED});
  return all;
}

}  // namespace

std::span<const predefined_type> predefined_types() {
  static const auto all = list_all();
  return all;
}

}  // namespace wherry::collective
