// GCL's figure 4, letter by letter, for fields wherever they are.
#pragma once

#include <array>
#include <vector>

#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"

namespace figure_4 {

constexpr int H = 2, DIM1 = 5, DIM2 = 4, DIM3 = 6;
constexpr std::size_t cells = (DIM1 + 2 * H) * (DIM2 + 2 * H) * (DIM3 + 2 * H);
constexpr std::array<GCL::halo_descriptor, 3> halo{{{H, H, H, DIM1 + H - 1, DIM1 + 2 * H},
                                                    {H, H, H, DIM2 + H - 1, DIM2 + 2 * H},
                                                    {H, H, H, DIM3 + H - 1, DIM3 + 2 * H}}};
using array = gcl_oracle::array<double, GCL::layout_map<2, 1, 0>>;

inline void fill(MPI_Comm comm, std::vector<double>& field, int number) {
  gcl_oracle::fill_core(comm, array{field.data(), halo}, {0, 1, 2}, number);
}
inline void check(MPI_Comm comm, std::vector<double>& field, int number) {
  gcl_oracle::check_halo(comm, array{field.data(), halo}, {0, 1, 2}, {true, false, false}, number);
}

// clang-format off: the figures keep the paper's spelling
template <class arch> void exchange(MPI_Comm CartComm, double* A_ptr, double* B_ptr, double* C_ptr) {
  typedef GCL::halo_exchange_dynamic_ut<GCL::layout_map<2,1,0>,
                                        GCL::layout_map<0,1,2>,
                                        double, 3,
                                        arch,
                                        GCL::version_manual > pattern_type;

  pattern_type he(typename pattern_type::grid_type::period_type(true, false, false), CartComm);

  he.template add_halo<0>(H, H, H, DIM1+H-1, DIM1+2*H); // Order of user coordinates
  he.template add_halo<1>(H, H, H, DIM2+H-1, DIM2+2*H);
  he.template add_halo<2>(H, H, H, DIM3+H-1, DIM3+2*H);

  he.setup(3); // Maximum # of fields

  he.pack(A_ptr, B_ptr, C_ptr);

  he.exchange();

  he.unpack(A_ptr, B_ptr, C_ptr);
}
// clang-format on

}  // namespace figure_4
