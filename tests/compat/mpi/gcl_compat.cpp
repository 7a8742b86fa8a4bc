// GCL's semantics beyond the figures: what pack and unpack promise, all packing versions, mappings, numbers of
// dimensions.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"

namespace {

using GCL::halo_descriptor;
using GCL::layout_map;
using gcl_oracle::cartesian;
using gcl_oracle::check_halo;
using gcl_oracle::fill_core;

/// After pack the fields may be overwritten; before unpack nothing is written; unpack may name other fields.
template <int Version, class Data, class Proc> void pack_exchange_unpack(MPI_Comm comm) {
  constexpr std::size_t N = static_cast<std::size_t>(Data::length);
  MPI_Comm cart = cartesian(comm, static_cast<int>(N));
  const std::array<int, N> axes = Proc::places;
  std::array<halo_descriptor, N> halo;
  std::array<bool, N> periodic{};
  for (std::size_t d = 0; d < N; ++d) {
    const auto i = static_cast<wherry::index_t>(d);
    halo[d] = halo_descriptor{1 + i % 2, 2 - i % 2, 3, 6 + i, 11 + i};
    periodic[d] = d % 2 == 0;
  }
  using pattern = GCL::halo_exchange_dynamic_ut<Data, Proc, float, static_cast<int>(N), GCL::gcl_cpu, Version>;
  std::unique_ptr<pattern> he;
  if constexpr (N == 2)
    he = std::make_unique<pattern>(typename pattern::grid_type::period_type(true, false), cart);
  else if constexpr (N == 3)
    he = std::make_unique<pattern>(typename pattern::grid_type::period_type(true, false, true), cart);
  else
    he = std::make_unique<pattern>(GCL::period_type(true, false, true, false), cart);
  he->template add_halo<0>(halo[0]);
  he->template add_halo<1>(halo[1].minus, halo[1].plus, halo[1].begin, halo[1].end, halo[1].length);
  if constexpr (N > 2) he->template add_halo<2>(halo[2]);
  if constexpr (N > 3) he->template add_halo<3>(halo[3]);
  he->setup(3);

  using array = gcl_oracle::array<float, Data>;
  const std::size_t cells = array{nullptr, halo}.size();
  std::vector<float> first(cells), second(cells), third(cells), other(cells, -5);
  for (int round = 0; round < 2; ++round) {
    fill_core(cart, array{first.data(), halo}, axes, 1 + round);
    fill_core(cart, array{second.data(), halo}, axes, 2 + round);
    he->pack(first.data(), second.data());
    std::fill(first.begin(), first.end(), -1.0f);
    he->start_exchange();
    he->wait();
    CHECK_EQUAL(first, std::vector<float>(cells, -1.0f));
    std::fill(other.begin(), other.end(), -5.0f);
    he->unpack(first.data(), other.data());
    check_halo(cart, array{first.data(), halo}, axes, periodic, 1 + round, -1.0f, false);
    check_halo(cart, array{other.data(), halo}, axes, periodic, 2 + round, -5.0f, false);

    // The most fields, and the flavour with vectors.
    fill_core(cart, array{first.data(), halo}, axes, 4);
    fill_core(cart, array{second.data(), halo}, axes, 5);
    fill_core(cart, array{third.data(), halo}, axes, 6);
    const std::vector<float*> all{first.data(), second.data(), third.data()};
    he->pack(all);
    he->exchange();
    he->unpack(all);
    for (int f = 0; f < 3; ++f) check_halo(cart, array{all[static_cast<std::size_t>(f)], halo}, axes, periodic, 4 + f);
  }
  he.reset();
  MPI_Comm_free(&cart);
}

template <int Version> void all_shapes(MPI_Comm comm) {
  pack_exchange_unpack<Version, layout_map<0, 1>, layout_map<0, 1>>(comm);
  pack_exchange_unpack<Version, layout_map<1, 0>, layout_map<1, 0>>(comm);
  pack_exchange_unpack<Version, layout_map<2, 0, 1>, layout_map<1, 2, 0>>(comm);
  pack_exchange_unpack<Version, layout_map<0, 1, 2>, layout_map<2, 0, 1>>(comm);
  // A simulator takes long for the 80 neighbours of hundreds of ranks.
  if (int size = 0; MPI_Comm_size(comm, &size) == MPI_SUCCESS && size <= 100)
    pack_exchange_unpack<Version, layout_map<3, 1, 0, 2>, layout_map<1, 3, 2, 0>>(comm);
}

constexpr halo_descriptor wide[2] = {{2, 1, 2, 5, 8}, {1, 2, 1, 5, 9}};
constexpr halo_descriptor narrow[2] = {{1, 1, 1, 3, 5}, {1, 1, 2, 7, 9}};

}  // namespace

WHERRY_TEST(manual_packing, ranks(1, 2, 3, 4, 8)) { all_shapes<GCL::manual_packing>(test.comm); }
WHERRY_TEST(mpi_pack, ranks(1, 2, 3, 4, 8)) { all_shapes<GCL::mpi_pack>(test.comm); }
WHERRY_TEST(mpi_datatype, ranks(1, 2, 3, 4, 8)) { all_shapes<GCL::mpi_datatype>(test.comm); }

// Two lists of fields take turns: each is bound once; the data may move in between.
WHERRY_TEST(generic_is_bound_once_a_list, ranks(1, 2, 3, 4)) {
  MPI_Comm cart = cartesian(test.comm, 2);
  using pattern = GCL::halo_exchange_generic<layout_map<1, 0>, 2, GCL::gcl_cpu>;
  pattern he(GCL::boollist<2>(false, true), cart);
  using fine = gcl_oracle::array<double, layout_map<0, 1>>;
  using coarse = gcl_oracle::array<short, layout_map<1, 0>>;
  for (int round = 0; round < 3; ++round) {
    std::vector<double> a(8 * 9 + 100 * static_cast<std::size_t>(round));
    std::vector<short> b(5 * 9), spare(5 * 9, -3);
    const fine one{a.data(), std::to_array(wide)};
    const coarse two{b.data(), std::to_array(narrow)};
    GCL::field_on_the_fly<double, layout_map<0, 1>, pattern::traits> field1(a.data(), wide);
    GCL::field_on_the_fly<short, layout_map<1, 0>, pattern::traits> field2(b.data(), std::vector(narrow, narrow + 2));
    fill_core(cart, one, {1, 0}, 7 + round);
    fill_core(cart, two, {1, 0}, 8 + round);
    he.pack(field1, field2);
    he.start_exchange();
    he.wait();
    field2.set_pointer(spare.data());
    he.unpack(field1, field2);
    check_halo(cart, one, {1, 0}, {false, true}, 7 + round);
    check_halo<short>(cart, coarse{spare.data(), std::to_array(narrow)}, {1, 0}, {false, true}, 8 + round, -3, false);

    const std::vector again{field1, field1};
    he.pack(again);
    he.exchange();
    he.unpack(again);
    CHECK_EQUAL(he.bound_lists(), 2);
  }
  MPI_Comm_free(&cart);
}

WHERRY_TEST(bound_at_construction, ranks(1, 2, 3, 4, 8)) {
  MPI_Comm cart = cartesian(test.comm, 2);
  using data = layout_map<1, 0>;
  using array = gcl_oracle::array<double, data>;
  std::vector<double> a(8 * 9), b(8 * 9);
  std::vector<short> c(5 * 9);
  const array one{a.data(), std::to_array(wide)}, two{b.data(), std::to_array(wide)};
  const gcl_oracle::array<short, layout_map<0, 1>> three{c.data(), std::to_array(narrow)};

  GCL::halo_exchange_ut<data, layout_map<0, 1>, double, 2> uniform(GCL::boollist<2>(true, true), cart, wide, a.data(),
                                                                   b.data());
  using list = GCL::halo_exchange_generic_list<layout_map<0, 1>, 2, GCL::gcl_cpu, GCL::version_manual>;
  const GCL::field_on_the_fly<double, data, list::traits> field1(a.data(), wide);
  const GCL::field_on_the_fly<short, layout_map<0, 1>, list::traits> field3(c.data(), narrow);
  list generic(GCL::period_type(true, false), cart, field1, field3);
  for (int round = 0; round < 2; ++round) {
    fill_core(cart, one, {0, 1}, 1 + round);
    fill_core(cart, two, {0, 1}, 2 + round);
    uniform.exchange();
    check_halo(cart, one, {0, 1}, {true, true}, 1 + round);
    check_halo(cart, two, {0, 1}, {true, true}, 2 + round);
    fill_core(cart, one, {0, 1}, 3 + round);
    fill_core(cart, three, {0, 1}, 4 + round);
    generic.start_exchange();
    generic.wait();
    check_halo(cart, one, {0, 1}, {true, false}, 3 + round);
    check_halo(cart, three, {0, 1}, {true, false}, 4 + round);
  }
  MPI_Comm_free(&cart);
}

// What the generic pattern does is what the uniform one does: the plans are the same, so they cost the same.
WHERRY_TEST(generic_costs_what_uniform_costs, ranks(1, 2, 4)) {
  MPI_Comm cart = cartesian(test.comm, 2);
  using data = layout_map<0, 1>;
  std::vector<double> a(8 * 9), b(8 * 9), c(8 * 9);
  const GCL::period_type periodic(true, true);
  GCL::halo_exchange_ut<data, layout_map<0, 1>, double, 2> uniform(periodic, cart, wide, a.data(), b.data(), c.data());
  using list = GCL::halo_exchange_generic_list<layout_map<0, 1>, 2>;
  using field = GCL::field_on_the_fly<double, data, list::traits>;
  list generic(periodic, cart, field(a.data(), wide), field(b.data(), wide), field(c.data(), wide));
  CHECK_EQUAL(uniform.explain(), generic.explain());
  MPI_Comm_free(&cart);
}

// L3 with datatypes, in two dimensions: a column leaves, a row arrives; both spellings of receive.
WHERRY_TEST(buffers_with_datatypes, ranks(1, 2, 3, 4).not_simulated("SimGrid's MPI_Type_dup breaks vectors")) {
  using grid_type = GCL::MPI_2D_process_grid_t<GCL::boollist<2>>;
  const grid_type grid(GCL::boollist<2>(true, false), test.comm);
  int p = 0, q = 0, i = 0, j = 0;
  grid.dims(p, q);
  grid.coords(i, j);
  CHECK_EQUAL(p * q, test.size);
  CHECK_EQUAL(i * q + j, test.rank);
  std::vector<int> array(16), row(4, -1), more(4, -1);
  for (int k = 0; k < 16; ++k) array[static_cast<std::size_t>(k)] = 100 * test.rank + k;
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  GCL::Halo_Exchange_2D_DT<grid_type> he(grid);
  he.register_send_to_buffer<1, 0>(array.data(), column);
  he.register_receive_from_buffer<-1, 0>(row.data(), MPI_INT, 4);
  he.register_send_to_buffer(array.data() + 1, column, 1, 0, 1);
  he.register_recv_from_buffer(more.data(), MPI_INT, 4, 0, -1);
  he.exchange();
  MPI_Type_free(&column);
  const int west = grid.proc(-1, 0), south = grid.proc<0, -1>();
  for (int k = 0; k < 4; ++k) {
    CHECK_EQUAL(row[static_cast<std::size_t>(k)], 100 * west + 4 * k);
    CHECK_EQUAL(more[static_cast<std::size_t>(k)], south < 0 ? -1 : 100 * south + 4 * k + 1);
  }
}

// Other sizes in a second registration; ranks at the edge of the mesh notice as well.
WHERRY_TEST(buffers_registered_again, ranks(1, 2, 4)) {
  using grid_type = GCL::MPI_1D_process_grid_t<>;
  const grid_type grid(GCL::boollist<1>(false), test.comm);
  GCL::Halo_Exchange_3D<grid_type> he(grid);
  std::vector<int> out(9, test.rank), in(9, -1);
  for (const std::size_t words : {3u, 9u, 1u}) {
    he.register_send_to_buffer(out.data(), words * 4, 1);
    he.register_receive_from_buffer(in.data(), words * 4, -1);
    std::fill(in.begin(), in.end(), -1);
    he.exchange();
    for (std::size_t k = 0; k < 9; ++k) CHECK_EQUAL(in[k], k < words ? test.rank - 1 : -1);
  }
}

WHERRY_TEST(errors_of_gcl, ranks(1, 2)) {
  MPI_Comm cart = cartesian(test.comm, 2);
  using pattern = GCL::halo_exchange_dynamic_ut<layout_map<0, 1>, layout_map<0, 1>, double, 2>;
  std::vector<double> a(72);
  {
    pattern he(pattern::grid_type::period_type(true, true), cart);
    CHECK_THROWS_WITH(he.pack(a.data()), "'pack' was called before 'setup'");
    he.add_halo<0>(wide[0]);
    he.add_halo<1>(-1, 2, 1, 5, 9);
    CHECK_THROWS_WITH(he.setup(2), "minus is -1");
    he.add_halo<1>(wide[1]);
    he.setup(2);
    CHECK_THROWS_WITH(he.pack(a.data(), a.data(), a.data()), "'pack' names 3 fields, expected 1 to 2");
    CHECK_THROWS_WITH(he.exchange(), "'start_exchange' was called without 'pack'");
    CHECK_THROWS_WITH(he.wait(), "'wait' was called without 'start_exchange'");
    CHECK_THROWS_WITH(he.unpack(a.data()), "'unpack' was called before the exchange");
    he.pack(a.data());
    CHECK_THROWS_WITH(he.pack(a.data()), "'pack' was called again before 'unpack'");
    he.exchange();
    CHECK_THROWS_WITH(he.unpack(a.data(), a.data()), "'unpack' names 2 fields, but 'pack' named 1");
    he.unpack(a.data());
    CHECK_THROWS_WITH(he.setup(0), "'max_fields' is 0");
  }
  CHECK_THROWS_WITH(pattern(GCL::period_type(true, true, true), cart), "there are 3 periodicities, expected 2");
  using generic = GCL::halo_exchange_generic<layout_map<0, 1>, 2>;
  using field = GCL::field_on_the_fly<double, layout_map<0, 1>, generic::traits>;
  CHECK_THROWS_WITH(field(a.data(), std::vector(wide, wide + 1)), "1 halo descriptors were given, expected 2");
  {
    generic he(GCL::period_type(1, 0), cart);
    he.pack(field(a.data(), wide));
    he.exchange();
    CHECK_THROWS_WITH(he.unpack(field(a.data(), narrow)), "other types or halo structures");
    he.unpack(field(a.data(), wide));
  }
  MPI_Comm_free(&cart);
}
