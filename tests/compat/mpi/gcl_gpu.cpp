// Paper 1's figure 4 letter by letter, and the other patterns, with fields on the fake device.
#include <vector>

#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using gcl_oracle::cartesian;
using gcl_oracle::check_halo;
using gcl_oracle::fill_core;

namespace {

constexpr int H = 2, DIM1 = 5, DIM2 = 4, DIM3 = 6;
constexpr std::size_t cells = (DIM1 + 2 * H) * (DIM2 + 2 * H) * (DIM3 + 2 * H);
constexpr std::array<GCL::halo_descriptor, 3> halo{{{H, H, H, DIM1 + H - 1, DIM1 + 2 * H},
                                                    {H, H, H, DIM2 + H - 1, DIM2 + 2 * H},
                                                    {H, H, H, DIM3 + H - 1, DIM3 + 2 * H}}};
using array = gcl_oracle::array<double, GCL::layout_map<2, 1, 0>>;

// A field on the device and its image.
struct field {
  field(MPI_Comm comm, int number) : image(cells, -1), memory(wherry::make_on_device<double>(cells)), id(number) {
    fill_core(comm, array{image.data(), halo}, {0, 1, 2}, id);
    wherry::copy_on_device(memory.get(), image.data(), cells * sizeof(double));
  }
  double* ptr() const { return memory.get(); }
  void check(MPI_Comm comm) {
    wherry::copy_on_device(image.data(), memory.get(), cells * sizeof(double));
    check_halo(comm, array{image.data(), halo}, {0, 1, 2}, {true, false, false}, id);
  }

  std::vector<double> image;
  std::shared_ptr<double[]> memory;
  int id;
};

}  // namespace

WHERRY_TEST(figure_4_on_a_device, ranks(1, 2, 3, 4, 8)) {
  const wherry_test::with_setting on("device", "fake", "auto");
  MPI_Comm CartComm = cartesian(test.comm, 3);
  field A(CartComm, 1), B(CartComm, 2), C(CartComm, 3);
  double *A_ptr_on_gpu = A.ptr(), *B_ptr_on_gpu = B.ptr(), *C_ptr_on_gpu = C.ptr();

  // clang-format off: the figures keep the paper's spelling
  typedef GCL::halo_exchange_dynamic_ut<GCL::layout_map<2,1,0>,
                                        GCL::layout_map<0,1,2>,
                                        double, 3,
                                        GCL::gcl_gpu,
                                        GCL::version_manual > pattern_type;

  pattern_type he(pattern_type::grid_type::period_type(true, false, false), CartComm);

  he.add_halo<0>(H, H, H, DIM1+H-1, DIM1+2*H); // Order of user coordinates
  he.add_halo<1>(H, H, H, DIM2+H-1, DIM2+2*H);
  he.add_halo<2>(H, H, H, DIM3+H-1, DIM3+2*H);

  he.setup(3); // Maximum # of fields

  he.pack(A_ptr_on_gpu, B_ptr_on_gpu, C_ptr_on_gpu);

  he.exchange();

  he.unpack(A_ptr_on_gpu, B_ptr_on_gpu, C_ptr_on_gpu);
  // clang-format on

  A.check(CartComm);
  B.check(CartComm);
  C.check(CartComm);
  MPI_Comm_free(&CartComm);
}

namespace {

template <int Version> void all_patterns(MPI_Comm comm) {
  using namespace GCL;
  const boollist<3> periods(true, false, false);
  {
    field a(comm, 1), b(comm, 2);
    using pattern = halo_exchange_generic<layout_map<0, 1, 2>, 3, gcl_gpu, Version>;
    pattern he(periods, comm);
    field_on_the_fly<double, layout_map<2, 1, 0>, pattern::template traits> fa(a.ptr(), halo), fb(b.ptr(), halo);
    he.pack(fa, fb);
    he.exchange();
    he.unpack(fa, fb);
    a.check(comm);
    b.check(comm);
  }
  field a(comm, 3), b(comm, 4);
  halo_exchange_ut<layout_map<2, 1, 0>, layout_map<0, 1, 2>, double, 3, gcl_gpu, Version> he(periods, comm, halo,
                                                                                             a.ptr(), b.ptr());
  he.exchange();
  a.check(comm);
  b.check(comm);
}

}  // namespace

WHERRY_TEST(all_patterns_on_a_device, ranks(1, 2, 3, 4, 8)) {
  const wherry_test::with_setting on("device", "fake", "auto");
  MPI_Comm comm = cartesian(test.comm, 3);
  all_patterns<GCL::version_manual>(comm);
  all_patterns<GCL::version_mpi_pack>(comm);
  all_patterns<GCL::version_datatype>(comm);
  MPI_Comm_free(&comm);
}
