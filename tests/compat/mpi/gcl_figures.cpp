// GCL's own programs, nearly letter by letter: figures 2, 4 and 5 (with gcl_cpu; with gcl_gpu figure 4 is in
// gcl_gpu.cpp).
#include <vector>

#include "compat/mpi/gcl_figure_4.hpp"
#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"

using gcl_oracle::cartesian;
using gcl_oracle::check_halo;
using gcl_oracle::fill_core;

WHERRY_TEST(figure_2, ranks(1, 2, 3, 4, 8)) {
  GCL::GCL_Init();
  const GCL::MPI_3D_process_grid_t<GCL::boollist<3>> grid(GCL::boollist<3>(true, true, true), test.comm);
  GCL::Halo_Exchange_3D<GCL::MPI_3D_process_grid_t<GCL::boollist<3>>> he(grid);
  std::vector<double> out(5, test.rank), in(5, -1);
  double* pointer = out.data();
  const std::size_t size = out.size() * sizeof(double);

  he.register_send_to_buffer<0, 1, 1>(pointer, size);  // or
  he.register_send_to_buffer(pointer, size, 0, 1, 1);

  he.register_recv_from_buffer<0, -1, -1>(in.data(), size);
  he.exchange();
  CHECK_EQUAL(in, std::vector<double>(5, grid.proc<0, -1, -1>()));

  out.assign(5, 10 + test.rank);
  he.start_exchange();
  he.wait();
  CHECK_EQUAL(in, std::vector<double>(5, 10 + grid.proc(0, -1, -1)));
}

WHERRY_TEST(figure_4, ranks(1, 2, 3, 4, 8)) {
  MPI_Comm comm = cartesian(test.comm, 3);
  std::vector<std::vector<double>> fields(3, std::vector<double>(figure_4::cells, -1));
  for (int i = 0; i < 3; ++i) figure_4::fill(comm, fields[static_cast<std::size_t>(i)], i);
  figure_4::exchange<GCL::gcl_cpu>(comm, fields[0].data(), fields[1].data(), fields[2].data());
  for (int i = 0; i < 3; ++i) figure_4::check(comm, fields[static_cast<std::size_t>(i)], i);
  MPI_Comm_free(&comm);
}

WHERRY_TEST(figure_5, ranks(1, 2, 3, 4, 8)) {
  using namespace GCL;
  MPI_Comm CartComm = cartesian(test.comm, 3);
  typedef gcl_cpu arch_type;
  constexpr int packing_type = version_manual;
  typedef double type1;
  typedef float type2;
  typedef int type3;
  typedef layout_map<0, 1, 2> layout1;
  typedef layout_map<2, 1, 0> layout2;
  typedef layout_map<2, 0, 1> layout3;
  const bool per0 = false, per1 = true, per2 = true;
  const halo_descriptor halo_dsc1[3] = {{1, 1, 1, 6, 8}, {2, 1, 2, 6, 9}, {0, 3, 1, 5, 10}};
  const halo_descriptor halo_dsc2[3] = {{2, 0, 2, 5, 8}, {1, 1, 1, 5, 7}, {1, 1, 1, 5, 7}};
  const halo_descriptor halo_dsc3[3] = {{2, 3, 3, 8, 13}, {2, 3, 3, 8, 13}, {2, 3, 3, 8, 13}};
  std::vector<type1> memory1(8 * 9 * 10, -1);
  std::vector<type2> memory2(8 * 7 * 7, -1);
  std::vector<type3> memory3(13 * 13 * 13, -1);
  type1* ptr1 = memory1.data();
  type2* ptr2 = memory2.data();
  type3* ptr3 = memory3.data();

  // clang-format off
  typedef halo_exchange_generic
      <layout_map<0,1,2>, 3, arch_type, packing_type >
      pattern_type;
  // clang-format on

  pattern_type he(period_type(per0, per1, per2), CartComm);

  field_on_the_fly<type1, layout1, pattern_type::traits> field1(ptr1, halo_dsc1);
  field_on_the_fly<type2, layout2, pattern_type::traits> field2(ptr2, halo_dsc2);
  field_on_the_fly<type3, layout3, pattern_type::traits> field3(ptr3, halo_dsc3);

  const gcl_oracle::array<type1, layout1> a{ptr1, std::to_array(halo_dsc1)};
  const gcl_oracle::array<type2, layout2> b{ptr2, std::to_array(halo_dsc2)};
  const gcl_oracle::array<type3, layout3> c{ptr3, std::to_array(halo_dsc3)};
  fill_core(CartComm, a, {0, 1, 2}, 1);
  fill_core(CartComm, b, {0, 1, 2}, 2);
  fill_core(CartComm, c, {0, 1, 2}, 3);

  he.pack(field1, field2, field3);

  he.exchange();

  he.unpack(field1, field2, field3);

  check_halo(CartComm, a, {0, 1, 2}, {per0, per1, per2}, 1);
  check_halo(CartComm, b, {0, 1, 2}, {per0, per1, per2}, 2);
  check_halo(CartComm, c, {0, 1, 2}, {per0, per1, per2}, 3);
  MPI_Comm_free(&CartComm);
}
