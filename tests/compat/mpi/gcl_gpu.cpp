// GCL's figure 4 and the other patterns, with fields on the fake device.
#include <memory>
#include <vector>

#include "compat/mpi/gcl_figure_4.hpp"
#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using gcl_oracle::cartesian;

namespace {

// A field on the device and its image.
struct field {
  field(MPI_Comm comm, int number)
      : image(figure_4::cells, -1), memory(wherry::make_on_device<double>(figure_4::cells)), id(number) {
    figure_4::fill(comm, image, id);
    wherry::copy_on_device(memory.get(), image.data(), bytes());
  }
  double* ptr() const { return memory.get(); }
  std::size_t bytes() const { return image.size() * sizeof(double); }
  void check(MPI_Comm comm) {
    wherry::copy_on_device(image.data(), memory.get(), bytes());
    figure_4::check(comm, image, id);
  }

  std::vector<double> image;
  std::shared_ptr<double[]> memory;
  int id;
};

}  // namespace

WHERRY_TEST(figure_4_on_a_device, ranks(1, 2, 3, 4, 8)) {
  const wherry_test::with_setting on("device", "fake", "auto");
  MPI_Comm comm = cartesian(test.comm, 3);
  field A(comm, 1), B(comm, 2), C(comm, 3);
  figure_4::exchange<GCL::gcl_gpu>(comm, A.ptr(), B.ptr(), C.ptr());
  A.check(comm);
  B.check(comm);
  C.check(comm);
  MPI_Comm_free(&comm);
}

namespace {

template <int Version> void all_patterns(MPI_Comm comm) {
  using namespace GCL;
  const boollist<3> periods(true, false, false);
  {
    field a(comm, 1), b(comm, 2);
    using pattern = halo_exchange_generic<layout_map<0, 1, 2>, 3, gcl_gpu, Version>;
    pattern he(periods, comm);
    field_on_the_fly<double, layout_map<2, 1, 0>, pattern::template traits> fa(a.ptr(), figure_4::halo),
        fb(b.ptr(), figure_4::halo);
    he.pack(fa, fb);
    he.exchange();
    he.unpack(fa, fb);
    a.check(comm);
    b.check(comm);
  }
  field a(comm, 3), b(comm, 4);
  halo_exchange_ut<layout_map<2, 1, 0>, layout_map<0, 1, 2>, double, 3, gcl_gpu, Version> he(
      periods, comm, figure_4::halo, a.ptr(), b.ptr());
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
