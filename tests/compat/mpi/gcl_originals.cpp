// What GCL's own tests are about: every layout of data and of processes, every periodicity, several widths, elements
// that are pairs and triples with constructors of their own; and the names that programs written for GCL use.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

namespace {

using GCL::halo_descriptor;
using GCL::layout_map;
using gcl_oracle::cartesian;
using gcl_oracle::check_halo;
using gcl_oracle::fill_core;

/// As such programs have them: a copy constructor where none is needed.
struct triple {
  triple() = default;
  explicit triple(int code) : x(code), y(code + 0.5), z(static_cast<short>(code % 127)) {}
  triple(const triple& other) : x(other.x), y(other.y), z(other.z) {}
  triple& operator=(const triple& other) {
    x = other.x;
    y = other.y;
    z = other.z;
    return *this;
  }
  bool operator==(const triple& other) const { return x == other.x && y == other.y && z == other.z; }

  int x = 0;
  double y = 0;
  short z = 0;
};
using pair = std::pair<int, float>;
static_assert(!std::is_trivially_copyable_v<triple> && !std::is_trivially_copyable_v<pair>);

/// An element of a whole number, for the oracle's values are such.
template <class T> T element_of(wherry::index_t code) {
  if constexpr (std::is_same_v<T, pair>)
    return {static_cast<int>(code), static_cast<float>(code) + 0.25f};
  else
    return T(static_cast<int>(code));
}

/// The oracle's check for elements of any kind: a field of numbers beside the field of elements.
template <class T, class Data> struct two_fields {
  static constexpr std::size_t N = static_cast<std::size_t>(Data::length);
  gcl_oracle::array<int, Data> numbers;
  std::vector<int> number_cells;
  std::vector<T> cells;

  explicit two_fields(const std::array<halo_descriptor, N>& halo)
      : numbers{nullptr, halo}, number_cells(numbers.size()), cells(numbers.size()) {
    numbers.data = number_cells.data();
  }
  void fill(MPI_Comm cart, const std::array<int, N>& axes, int salt) {
    fill_core(cart, numbers, axes, salt);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = element_of<T>(number_cells[i]);
  }
  void check(MPI_Comm cart, const std::array<int, N>& axes, const std::array<bool, N>& periodic, int salt) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if constexpr (std::is_same_v<T, pair>)
        number_cells[i] = cells[i].first;
      else if constexpr (std::is_same_v<T, triple>)
        number_cells[i] = cells[i].x;
      else
        number_cells[i] = cells[i];
      if (!(cells[i] == element_of<T>(number_cells[i]))) number_cells[i] = -12345;  // not all of the element came along
    }
    check_halo(cart, numbers, axes, periodic, salt);
  }
};

template <std::size_t N> std::array<halo_descriptor, N> drawn_halo(wherry_test::random_numbers& draw) {
  std::array<halo_descriptor, N> halo;
  for (auto& h : halo) {
    const int minus = draw.between(0, 3), plus = draw.between(0, 3), core = draw.between(3, 5);
    const int begin = minus + draw.between(0, 1);
    h = halo_descriptor{minus, plus, begin, begin + core - 1, begin + core + plus + draw.between(0, 1)};
  }
  return halo;
}

/// Both kinds of pattern over one layout of data and one of processes: all periodicities, several widths, 1 to 3
/// fields, started as a whole or by halves.
template <class T, class Data, class Proc, int Version>
void every_periodicity(MPI_Comm comm, wherry_test::random_numbers& draw) {
  constexpr int N = Data::length;
  constexpr auto n = static_cast<std::size_t>(N);
  MPI_Comm cart = cartesian(comm, N);
  for (int bits = 0; bits < (1 << N); ++bits) {
    std::array<bool, n> periodic{};
    for (std::size_t d = 0; d < n; ++d) periodic[d] = (bits >> d) & 1;
    const auto halo = drawn_halo<n>(draw);
    using uniform = GCL::halo_exchange_dynamic_ut<Data, Proc, T, N, GCL::gcl_cpu, Version>;
    using general = GCL::halo_exchange_generic<Proc, N, GCL::gcl_cpu, Version>;
    using period_type = typename uniform::grid_type::period_type;
    const auto periods = [&] {
      if constexpr (N == 2)
        return period_type(periodic[0], periodic[1]);
      else
        return period_type(periodic[0], periodic[1], periodic[2]);
    }();
    two_fields<T, Data> a(halo), b(halo), c(halo);
    const auto fill_all = [&] {
      a.fill(cart, Proc::places, 3 + bits);
      b.fill(cart, Proc::places, 4 + bits);
      c.fill(cart, Proc::places, 5 + bits);
    };
    const auto check_all = [&] {
      a.check(cart, Proc::places, periodic, 3 + bits);
      b.check(cart, Proc::places, periodic, 4 + bits);
      c.check(cart, Proc::places, periodic, 5 + bits);
    };

    uniform one(periods, cart);
    one.template add_halo<0>(halo[0]);
    one.template add_halo<1>(halo[1]);
    if constexpr (N > 2) one.template add_halo<2>(halo[2]);
    one.setup(3);
    fill_all();
    one.post_receives();
    one.pack(a.cells.data(), b.cells.data());
    one.do_sends();
    one.wait();
    one.unpack(a.cells.data(), b.cells.data());
    const std::vector<T*> third{c.cells.data()};
    one.pack(third);
    one.start_exchange();
    one.wait();
    one.unpack(third);
    check_all();

    general all(periods, cart);
    using field_type = GCL::field_on_the_fly<T, Data, general::template traits>;
    field_type first, second(b.cells.data(), halo), last(c.cells.data(), halo);
    first = field_type(a.cells.data(), halo);
    all.setup(3, first, static_cast<int>(sizeof(T)));
    fill_all();
    all.pack(first, second, last);
    all.post_receives();
    all.do_sends();
    all.wait();
    all.unpack(first, second, last);
    check_all();
    int extents[3]{}, coordinates[3]{};
    if constexpr (N == 2) {
      all.pattern().proc_grid().dims(extents[0], extents[1]);
      one.pattern().proc_grid().coords(coordinates[0], coordinates[1]);
    } else {
      all.pattern().proc_grid().dims(extents[0], extents[1], extents[2]);
      one.pattern().proc_grid().coords(coordinates[0], coordinates[1], coordinates[2]);
    }
    int mpi_extents[3], mpi_periods[3], mpi_coordinates[3];
    MPI_Cart_get(cart, N, mpi_extents, mpi_periods, mpi_coordinates);
    for (std::size_t d = 0; d < n; ++d) {
      CHECK_EQUAL(extents[d], mpi_extents[d]);
      CHECK_EQUAL(coordinates[d], mpi_coordinates[d]);
    }
  }
  MPI_Comm_free(&cart);
}

template <class T, int Version> void every_layout(MPI_Comm comm, unsigned seed) {
  wherry_test::random_numbers draw(seed);
  every_periodicity<T, layout_map<0, 1>, layout_map<1, 0>, Version>(comm, draw);
  every_periodicity<T, layout_map<1, 0>, layout_map<0, 1>, Version>(comm, draw);
  every_periodicity<T, layout_map<0, 1, 2>, layout_map<0, 1, 2>, Version>(comm, draw);
  every_periodicity<T, layout_map<0, 2, 1>, layout_map<1, 0, 2>, Version>(comm, draw);
  every_periodicity<T, layout_map<1, 0, 2>, layout_map<0, 2, 1>, Version>(comm, draw);
  every_periodicity<T, layout_map<1, 2, 0>, layout_map<2, 0, 1>, Version>(comm, draw);
  every_periodicity<T, layout_map<2, 0, 1>, layout_map<2, 1, 0>, Version>(comm, draw);
  every_periodicity<T, layout_map<2, 1, 0>, layout_map<1, 2, 0>, Version>(comm, draw);
}

}  // namespace

WHERRY_TEST(numbers_packed_by_hand, ranks(1, 2, 3, 4, 8)) { every_layout<int, GCL::version_manual>(test.comm, 41); }
WHERRY_TEST(pairs_by_datatypes, ranks(1, 2, 3, 4, 8).not_simulated("slow, and the same code")) {
  every_layout<pair, 1>(test.comm, 42);
}
WHERRY_TEST(triples_by_mpi_pack, ranks(1, 2, 3, 4, 8).not_simulated("slow, and the same code")) {
  every_layout<triple, 0>(test.comm, 43);
}

// The level below: dimensions by strides, periodicity along the process grid.
WHERRY_TEST(hndlr_dynamic_ut, ranks(1, 2, 3, 4, 8)) {
  MPI_Comm cart = cartesian(test.comm, 3);
  using grid_type = GCL::MPI_3D_process_grid_t<GCL::gcl_utils::boollist<3>>;
  using data = layout_map<0, 1, 2>;
  const std::array<halo_descriptor, 3> halo{{{3, 2, 4, 6, 9}, {2, 1, 3, 6, 9}, {2, 1, 3, 6, 9}}};
  const auto run = [&]<class ProcMap>(ProcMap, auto& exchange) {
    exchange.halo.add_halo(2, 2, 1, 3, 6, 9);
    exchange.halo.add_halo(1, 2, 1, 3, 6, 9);
    exchange.halo.add_halo(0, 3, 2, 4, 6, 9);
    exchange.allocate_buffers(3);
    two_fields<triple, data> a(halo), b(halo);
    a.fill(cart, ProcMap::places, 7);
    b.fill(cart, ProcMap::places, 8);
    exchange.pack(a.cells.data(), b.cells.data());
    exchange.start_exchange();
    exchange.wait();
    exchange.unpack(a.cells.data(), b.cells.data());
    // Periodic along the grid's dimension 1 alone.
    std::array<bool, 3> periodic{};
    for (std::size_t d = 0; d < 3; ++d) periodic[d] = ProcMap::places[d] == 1;
    a.check(cart, ProcMap::places, periodic, 7);
    b.check(cart, ProcMap::places, periodic, 8);
    int k = -1, j = -1, i = -1;
    exchange.pattern().proc_grid().coords(k, j, i);
    CHECK_EQUAL(exchange.pattern().proc_grid().pid(), test.rank);
    CHECK_EQUAL(exchange.comm().abs_proc(GCL::array<int, 3>(k, j, i)), test.rank);
  };
  GCL::hndlr_dynamic_ut<triple, 3, GCL::Halo_Exchange_3D<grid_type>> plain(
      GCL::gcl_utils::boollist<3>(false, true, false), cart);
  run(layout_map<0, 1, 2>{}, plain);
  GCL::hndlr_dynamic_ut<triple, 3, GCL::Halo_Exchange_3D<grid_type>, layout_map<2, 0, 1>, GCL::gcl_cpu, 2> mapped(
      GCL::gcl_utils::boollist<3>(false, true, false), cart);
  run(layout_map<2, 0, 1>{}, mapped);
  MPI_Comm_free(&cart);
}

// Process 0 deals out a matrix in blocks, which arrive inside halos.
WHERRY_TEST(all_to_all_halo, ranks(1, 2, 3, 4, 8)) {
  using grid_type = GCL::MPI_2D_process_grid_t<GCL::gcl_utils::boollist<2>>;
  const grid_type grid(GCL::gcl_utils::boollist<2>(true, true), test.comm, GCL::array<int, 2>(0, 0));
  constexpr int n = 3, h = 2;
  int ranks[2], at[2];
  grid.dims(ranks[0], ranks[1]);
  grid.coords(at[0], at[1]);
  GCL::all_to_all_halo<pair, grid_type> deal(grid);
  const int rows = ranks[0] * n, columns = ranks[1] * n;
  std::vector<pair> matrix(static_cast<std::size_t>(rows * columns));
  std::vector<pair> mine(static_cast<std::size_t>((n + 2 * h) * (n + 2 * h)), pair(-1, -1.0f));
  GCL::array<int, 2> coordinates;
  if (test.rank == 0) {
    for (int place = 0; place < rows * columns; ++place)
      matrix[static_cast<std::size_t>(place)] = element_of<pair>(place);
    for (int i = 0; i < ranks[0]; ++i)
      for (int j = 0; j < ranks[1]; ++j) {
        coordinates[0] = i;
        coordinates[1] = j;
        GCL::array<halo_descriptor, 2> block;
        block[0] = halo_descriptor(0, 0, j * n, (j + 1) * n - 1, columns);  // stride 1
        block[1] = halo_descriptor(0, 0, i * n, (i + 1) * n - 1, rows);
        deal.register_block_to(matrix.data(), block, coordinates);
      }
  }
  coordinates[0] = coordinates[1] = 0;
  const std::vector<halo_descriptor> inside(2, halo_descriptor(h, h, h, n + h - 1, n + 2 * h));
  deal.register_block_from(mine.data(), inside, coordinates);
  deal.setup();
  deal.start_exchange();
  deal.wait();
  for (int i = -h; i < n + h; ++i)
    for (int j = -h; j < n + h; ++j) {
      const bool core = i >= 0 && i < n && j >= 0 && j < n;
      const int place = GCL::access(at[1] * n + j, at[0] * n + i, columns, rows);
      CHECK(mine[static_cast<std::size_t>(GCL::access(j + h, i + h, n + 2 * h, n + 2 * h))] ==
            (core ? element_of<pair>(place) : pair(-1, -1.0f)));
    }
  const grid_type mesh(GCL::boollist<2>(false, false), test.comm);
  GCL::all_to_all_halo<pair, grid_type> wrong(mesh);
  coordinates[0] = ranks[0] + test.size;
  CHECK_THROWS_WITH(wrong.register_block_to(matrix.data(), inside, coordinates),
                    "no process at the given 'coordinates'");
}

// The generic one: packets of datatypes. Rank r sends a column to everybody, who receive rows.
WHERRY_TEST(all_to_all_of_packets, ranks(1, 2, 3, 4).not_simulated("SimGrid's MPI_Type_dup breaks vectors")) {
  const int p = test.size;
  GCL::all_to_all<int> exchange(p, test.comm);
  std::vector<int> out(static_cast<std::size_t>(4 * p)), in(static_cast<std::size_t>(4 * p), -1);
  for (int k = 0; k < 4 * p; ++k) out[static_cast<std::size_t>(k)] = 1000 * test.rank + k;
  MPI_Datatype column = MPI_DATATYPE_NULL, row = MPI_DATATYPE_NULL;
  MPI_Type_vector(4, 1, p, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Type_contiguous(4, MPI_INT, &row);
  MPI_Type_commit(&row);
  for (int q = 0; q < p; ++q) {
    const auto entry = static_cast<std::size_t>(q);
    if (q == test.rank && p > 1) {  // nothing to oneself
      exchange.to[entry] = GCL::packet<int>();
      continue;
    }
    exchange.to[entry] = GCL::packet<int>(column, out.data() + q);
    exchange.from[entry] = GCL::packet<int>(row, in.data() + 4 * q);
  }
  exchange.setup();
  MPI_Type_free(&column);
  MPI_Type_free(&row);
  for (int round = 0; round < 2; ++round) {
    for (auto& value : out) value += 7;
    exchange.start_exchange();
    exchange.wait();
    for (int q = 0; q < p; ++q)
      for (int k = 0; k < 4; ++k)
        CHECK_EQUAL(in[static_cast<std::size_t>(4 * q + k)],
                    q == test.rank && p > 1 ? -1 : 1000 * q + k * p + test.rank + 7 * (round + 1));
  }
  exchange.to[0] = GCL::packet<int>(MPI_INT, out.data());
  CHECK_THROWS_WITH(exchange.start_exchange(), "packets were changed after 'setup'");
  CHECK_THROWS_WITH(GCL::all_to_all<int>(p + 1, test.comm), "the size of the communicator");
}

WHERRY_TEST(grids_by_numbers, ranks(1, 2, 3, 4, 8)) {
  using grid_2d = GCL::_2D_process_grid_t<GCL::gcl_utils::boollist<2>>;
  using grid_3d = GCL::_3D_process_grid_t<GCL::gcl_utils::boollist<3>>;
  const grid_3d counted(GCL::gcl_utils::boollist<3>(true, false, true), 12, 7);
  int extents[3], at[3];
  counted.dims(extents[0], extents[1], extents[2]);
  counted.coords(at[0], at[1], at[2]);
  CHECK_EQUAL(extents[0] * extents[1] * extents[2], 12);
  CHECK_EQUAL((at[0] * extents[1] + at[1]) * extents[2] + at[2], 7);
  const grid_3d placed(GCL::gcl_utils::boollist<3>(true, false, true), GCL::array<int, 3>(4, 3, 2),
                       GCL::array<int, 3>(3, 2, 1));
  CHECK_EQUAL(placed.pid(), (3 * 3 + 2) * 2 + 1);
  CHECK_EQUAL((placed.proc<1, 0, 0>()), (0 * 3 + 2) * 2 + 1);
  CHECK_EQUAL((placed.proc<0, 1, 0>()), -1);
  CHECK_EQUAL((placed.proc<-1, -1, 1>()), (2 * 3 + 1) * 2 + 0);
  CHECK_THROWS_WITH(grid_2d(GCL::boollist<2>(true, true), 4, 4), "'pid' is 4, expected 0 to 3");
  CHECK_THROWS_WITH(grid_2d(GCL::boollist<2>(true, true), 0, 0), "'ranks' is 0");
  CHECK_THROWS_WITH(grid_2d(GCL::boollist<2>(true, true), GCL::array<int, 2>(2, 2), GCL::array<int, 2>(0, 2)),
                    "'coordinates' has 2 in dimension 1, expected 0 to 1");

  // A pattern on such a grid runs on the world, which here is as large as the test's communicator where it is all.
  GCL::GCL_Init();
  if (GCL::PROCS != test.size) test.skip("the world has more ranks than the test");
  const grid_2d mine(GCL::boollist<2>(true, true), GCL::PROCS, GCL::PID);
  GCL::Halo_Exchange_2D<grid_2d> shift(mine);
  const double out = GCL::PID;
  double in = -1;
  shift.register_send_to_buffer<0, 1>(&out, sizeof out);
  shift.register_receive_from_buffer<0, -1>(&in, sizeof in);
  shift.post_receives();
  shift.do_sends();
  shift.wait();
  CHECK_EQUAL(in, (mine.proc<0, -1>()));
  CHECK_EQUAL(shift.proc_grid().pid(), GCL::PID);
}

WHERRY_TEST(small_names, ranks(1)) {
  GCL::gcl_utils::boollist<3> periods(true, false, true);
  CHECK(periods.value0 && !periods.value1 && periods.value2);
  CHECK(periods.value<0>() && !periods.value<1>());
  periods.value1 = true;
  CHECK(periods.value(1));
  const auto permuted = GCL::boollist<3>(true, false, false).permute<layout_map<1, 2, 0>>();
  CHECK(!permuted.value0 && permuted.value1 && !permuted.value2);
  bool copies[3]{};
  permuted.copy_out(copies);
  CHECK(!copies[0] && copies[1] && !copies[2]);

  using map = layout_map<1, 2, 0>;  // dimension 2 has stride 1
  CHECK_EQUAL((map::find<0>()), 2);
  CHECK_EQUAL((map::find<0>(10, 20, 30)), 30);
  CHECK_EQUAL((map::find<2>(10, 20, 30)), 20);
  CHECK_EQUAL(map::at<1>(), 2);
  static_assert(std::is_same_v<GCL::default_layout_map<3>::type, layout_map<0, 1, 2>>);

  CHECK_EQUAL(GCL::access(2, 3, 10, 10), 32);
  CHECK_EQUAL(GCL::access(2, 3, 4, 10, 20, 30), 2 + 3 * 10 + 4 * 200);
  CHECK_EQUAL(GCL::access(GCL::array<int, 3>(2, 3, 4), GCL::array<int, 3>(10, 20, 30)), 2 + 3 * 10 + 4 * 200);
  CHECK_EQUAL(GCL::version_mpi_pack + 10 * GCL::version_datatype + 100 * GCL::version_manual, 210);
}

WHERRY_TEST(halves_in_the_wrong_order, ranks(1, 2)) {
  MPI_Comm cart = cartesian(test.comm, 2);
  using pattern = GCL::halo_exchange_dynamic_ut<layout_map<0, 1>, layout_map<0, 1>, double, 2>;
  std::vector<double> a(36);
  pattern exchange(pattern::grid_type::period_type(true, true), cart);
  exchange.add_halo<0>(1, 1, 1, 4, 6);
  exchange.add_halo<1>(1, 1, 1, 4, 6);
  CHECK_THROWS_WITH(exchange.add_halo(2, halo_descriptor{}), "'dimension' is 2, expected 0 to 1");
  exchange.setup(1);
  CHECK_THROWS_WITH(exchange.do_sends(), "'do_sends' was called without 'pack'");
  exchange.pack(a.data());
  exchange.do_sends();
  CHECK_THROWS_WITH(exchange.wait(), "'wait' was called without 'post_receives'");
  CHECK_THROWS_WITH(exchange.unpack(a.data()), "'unpack' was called before the exchange");
  exchange.post_receives();
  CHECK_THROWS_WITH(exchange.do_sends(), "'do_sends' was called again before 'wait'");
  exchange.wait();
  exchange.unpack(a.data());
  exchange.post_receives();
  exchange.pack(a.data());
  CHECK_THROWS_WITH(exchange.wait(), "'wait' was called without 'do_sends'");
  exchange.do_sends();
  exchange.wait();
  exchange.unpack(a.data());
  MPI_Comm_free(&cart);
}
