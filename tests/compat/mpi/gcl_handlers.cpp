// The handlers of the level below, of fields that are registered and of grids made from numbers; and the small tools
// that programs written for GCL take from its utilities.
#include <array>
#include <memory>
#include <type_traits>
#include <vector>

#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"

namespace {

using GCL::halo_descriptor;
using GCL::layout_map;
using GCL::gcl_utils::make_array;
using gcl_oracle::cartesian;
using fortran = layout_map<0, 1>;

/// Three fields whose halos differ, registered in `handler` and exchanged twice.
template <class Handler> void exchange_registered(Handler& handler, MPI_Comm cart, std::array<bool, 2> periodic) {
  using field = gcl_oracle::array<int, fortran>;
  const std::array<std::array<halo_descriptor, 2>, 3> halos{{{{{2, 1, 3, 6, 10}, {2, 1, 3, 6, 9}}},
                                                             {{{3, 2, 3, 6, 10}, {2, 1, 3, 6, 10}}},
                                                             {{{0, 2, 0, 6, 10}, {3, 2, 3, 6, 11}}}}};
  std::vector<std::vector<int>> cells;
  std::vector<field> fields;
  for (const auto& halo : halos) {
    fields.push_back({nullptr, halo});
    cells.emplace_back(fields.back().size());
    fields.back().data = cells.back().data();
    const auto number = handler.register_field(cells.back().data());
    CHECK_EQUAL(number + 1, cells.size());
    for (std::size_t d = 0; d < 2; ++d)
      handler.register_halo(number, d, halo[d].minus, halo[d].plus, halo[d].begin, halo[d].end, halo[d].length);
  }
  CHECK_EQUAL(handler.size(), 3);
  CHECK_EQUAL(handler.data_field(0).send_buffer_size(make_array(-1, -1)), 1);
  CHECK_EQUAL(handler.data_field(0).recv_buffer_size(make_array(-1, -1)), 4);
  CHECK_EQUAL(handler.data_field(1).send_buffer_size(make_array(1, 0)), 3 * 4);
  CHECK_EQUAL(handler.data_field(2).recv_buffer_size(make_array(0, 1)), 7 * 2);
  CHECK_EQUAL(handler.total_pack_size(make_array(1, 0)), (2 + 3 + 0) * 4);
  CHECK_EQUAL(handler.total_unpack_size(make_array(1, 0)), (1 + 2 + 2) * 4);
  CHECK_THROWS_WITH(handler.pack(), "'pack' was called before 'setup'");
  handler.allocate_buffers();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < fields.size(); ++i)
      gcl_oracle::fill_core(cart, fields[i], fortran::places, static_cast<int>(i) + 5 * round);
    handler.pack();
    handler.exchange();
    handler.unpack();
    for (std::size_t i = 0; i < fields.size(); ++i)
      gcl_oracle::check_halo(cart, fields[i], fortran::places, periodic, static_cast<int>(i) + 5 * round);
  }
  CHECK_THROWS_WITH(handler.register_halo(3, 0, 1, 1, 1, 2, 4), "'field' is 3; there are 3");
  CHECK_THROWS_WITH(handler.register_halo(0, 2, 1, 1, 1, 2, 4), "'dimension' is 2, expected 0 to 1");
}

}  // namespace

WHERRY_TEST(hndlr_descriptor_ut, ranks(1, 2, 3, 4, 8)) {
  MPI_Comm cart = cartesian(test.comm, 2);
  using pattern = GCL::Halo_Exchange_2D<GCL::MPI_2D_process_grid_t<GCL::gcl_utils::boollist<2>>>;
  GCL::hndlr_descriptor_ut<int, 2, pattern> one(GCL::gcl_utils::boollist<2>(true, false), cart);
  exchange_registered(one, cart, {true, false});
  CHECK_EQUAL(one.pattern().proc_grid().pid(), test.rank);
  GCL::handler_manager_ut<int, 2, pattern> manager;
  exchange_registered(manager.create_handler(GCL::gcl_utils::boollist<2>(true, true), cart), cart, {true, true});
  MPI_Comm_free(&cart);
}

// A handler on a grid of numbers runs on the world, which is the test's communicator where that is all.
WHERRY_TEST(handlers_made_from_numbers, ranks(1, 2, 3, 4, 8)) {
  GCL::GCL_Init();
  CHECK(GCL::PID < GCL::PROCS);
  if (GCL::PROCS != test.size) return;
  MPI_Comm cart = cartesian(GCL::GCL_WORLD, 2);
  using grid = GCL::_2D_process_grid_t<GCL::gcl_utils::boollist<2>>;
  using pattern = GCL::Halo_Exchange_2D<grid>;
  const GCL::gcl_utils::boollist<2> periods(false, true);
  GCL::hndlr_descriptor_ut<int, 2, pattern> registered(periods, GCL::PROCS, GCL::PID);
  exchange_registered(registered, cart, {false, true});
  const std::array<halo_descriptor, 2> halo{{{2, 1, 3, 6, 10}, {2, 1, 3, 6, 10}}};
  std::vector<int> cells(100);
  const gcl_oracle::array<int, fortran> field{cells.data(), halo};
  GCL::hndlr_dynamic_ut<int, 2, pattern> dynamic(periods, GCL::PROCS, GCL::PID);
  dynamic.halo.add_halo(1, 2, 1, 3, 6, 10);
  dynamic.halo.add_halo(0, 2, 1, 3, 6, 10);
  dynamic.allocate_buffers(3);
  gcl_oracle::fill_core(cart, field, fortran::places, 9);
  dynamic.pack(cells.data());
  dynamic.exchange();
  dynamic.unpack(cells.data());
  gcl_oracle::check_halo(cart, field, fortran::places, {false, true}, 9);
  int extents[2], at[2];
  dynamic.pattern().proc_grid().dims(extents[0], extents[1]);
  dynamic.pattern().proc_grid().coords(at[0], at[1]);
  CHECK_EQUAL(at[0] * extents[1] + at[1], GCL::PID);
  MPI_Comm_free(&cart);
}

WHERRY_TEST(layout_maps_of_any_numbers, ranks(1)) {
  static_assert(layout_map<1, 3, -3>::at<2>() == -3 && layout_map<2>()[0] == 2 && layout_map<1, 3, -3, 5>()[3] == 5);
  static_assert(!layout_map<1, 3, -3>::is_permutation() && layout_map<1, 2, 0>::is_permutation());
  int a = 10, b = 100, c = 1000;
  using map = layout_map<2, 0, 1>;
  CHECK_EQUAL((map::select<0>(a, b, c)), c);
  CHECK_EQUAL((map::select<1>(a, b, c)), a);
  CHECK_EQUAL((layout_map<1, 2, 0>().select<0>(1, 2, 3)), 2);
  map::select<2>(a, b, c) = 7;
  map::find<0>(a, b, c) += 1;
  CHECK_EQUAL(b, 8);
  using both = GCL::layout_transform<layout_map<2, 0, 1>, layout_map<2, 1, 0>>::type;
  static_assert(std::is_same_v<both, layout_map<1, 0, 2>>);
  static_assert(
      std::is_same_v<GCL::layout_transform<layout_map<1, 2, 0>, layout_map<0, 1, 2>>::type, layout_map<1, 2, 0>>);
  static_assert(std::is_same_v<decltype(make_array(1, 2)), GCL::array<int, 2>>);
  CHECK(make_array(4, 5) == (GCL::array<int, 2>(4, 5)));
}

WHERRY_TEST(loops_over_dimensions, ranks(1)) {
  using namespace GCL::utils;
  const auto extents = make_array(4, 5, 6);
  CHECK_EQUAL(prod<2>()(extents), 120);
  CHECK_EQUAL(prod<-1>()(extents), 1);
  CHECK_EQUAL(access_to<3>()(make_array(1, 2, 3), extents), 1 + 2 * 4 + 3 * 20);
  const std::array<bounds, 3> within{{{0, 1}, {1, 2}, {3, 3}}};
  std::vector<int> places, expected;
  const auto keep = [&places](int place) { places.push_back(place); };
  access_loop<3, decltype(keep)>()(within, extents, keep);
  auto tuple = make_array(0, 0, 0);
  loop<3>()(within, [&](const auto& at) { expected.push_back(access_to<3>()(at, extents)); }, tuple);
  CHECK(places == expected);
  CHECK(places == (std::vector<int>{64, 65, 68, 69}));
  int neighbours = 0, sum = 0;
  const auto count = [&](const auto& at) {
    ++neighbours;
    sum += at[0] + at[1] + at[2];
  };
  neigh_loop<3>()(count, tuple);
  CHECK(neighbours == 27 && sum == 0);
  neigh_loop<2, 0, 1>()([&](const auto& at) { sum += at[0] * at[1]; }, tuple);
  CHECK_EQUAL(sum, 1);
}
