#include "predefined_types.hpp"

namespace wherry::collective {

std::span<const predefined_type> predefined_types() {
  using enum sort_of_value;
  static const predefined_type all[] = {{MPI_DOUBLE, floating},
                                        {MPI_FLOAT, floating},
                                        {MPI_LONG_DOUBLE, floating},
                                        {MPI_DOUBLE_PRECISION, floating},
                                        {MPI_REAL, floating},
                                        {MPI_INT, with_sign},
                                        {MPI_LONG, with_sign},
                                        {MPI_LONG_LONG, with_sign},
                                        {MPI_SHORT, with_sign},
                                        {MPI_SIGNED_CHAR, with_sign},
                                        {MPI_INT8_T, with_sign},
                                        {MPI_INT16_T, with_sign},
                                        {MPI_INT32_T, with_sign},
                                        {MPI_INT64_T, with_sign},
                                        {MPI_INTEGER, with_sign},
                                        {MPI_AINT, with_sign},
                                        {MPI_COUNT, with_sign},
                                        {MPI_OFFSET, with_sign},
                                        {MPI_UNSIGNED, without_sign},
                                        {MPI_UNSIGNED_LONG, without_sign},
                                        {MPI_UNSIGNED_LONG_LONG, without_sign},
                                        {MPI_UNSIGNED_SHORT, without_sign},
                                        {MPI_UNSIGNED_CHAR, without_sign},
                                        {MPI_UINT8_T, without_sign},
                                        {MPI_UINT16_T, without_sign},
                                        {MPI_UINT32_T, without_sign},
                                        {MPI_UINT64_T, without_sign},
                                        {MPI_CHAR, character},
                                        {MPI_C_COMPLEX, complex},
                                        {MPI_C_FLOAT_COMPLEX, complex},
                                        {MPI_C_DOUBLE_COMPLEX, complex},
                                        {MPI_C_LONG_DOUBLE_COMPLEX, complex},
                                        {MPI_COMPLEX, complex},
                                        {MPI_DOUBLE_COMPLEX, complex},
                                        {MPI_C_BOOL, logical},
                                        {MPI_LOGICAL, logical},
                                        {MPI_BYTE, bytes},
                                        {MPI_2INT, pair},
                                        {MPI_FLOAT_INT, pair},
                                        {MPI_DOUBLE_INT, pair},
                                        {MPI_LONG_INT, pair},
                                        {MPI_SHORT_INT, pair},
                                        {MPI_LONG_DOUBLE_INT, pair},
                                        {MPI_2INTEGER, pair},
                                        {MPI_2REAL, pair},
                                        {MPI_2DOUBLE_PRECISION, pair},
                                        {MPI_CHARACTER, other},
                                        {MPI_WCHAR, other},
                                        {MPI_PACKED, other}};
  return all;
}

}  // namespace wherry::collective
