// Raw buffers to the neighbours of a process grid: the layer L3 of GCL.
#include "wherry/halo/buffer_exchange.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "harness/harness.hpp"

namespace {

using wherry::buffer_exchange;
using wherry::process_grid;

using direction = std::vector<int>;

std::vector<direction> all_directions(int dimensions) {
  std::vector<direction> result;
  int codes = 1;
  for (int d = 0; d < dimensions; ++d) codes *= 3;
  for (int code = 0; code < codes; ++code) {
    direction at;
    for (int d = 0, rest = code; d < dimensions; ++d, rest /= 3) at.push_back(rest % 3 - 1);
    if (2 * code + 1 != codes) result.push_back(at);
  }
  return result;
}

direction opposite(direction d) {
  for (int& component : d) component = -component;
  return d;
}

int number(const direction& d) {
  return std::accumulate(d.rbegin(), d.rend(), 0, [](int sum, int c) { return sum * 3 + c + 1; });
}

/// What `rank` sends in direction d in round `round`: its length depends on the direction, its content on all three.
std::vector<int> letter(int rank, const direction& d, int round) {
  std::vector<int> words(static_cast<std::size_t>(1 + number(d)));
  std::iota(words.begin(), words.end(), rank * 100'000 + number(d) * 1000 + round * 100);
  return words;
}

void check_all_directions(MPI_Comm comm, int rank, int dimensions, bool periodic) {
  const process_grid grid(comm, {.periodic = std::vector<bool>(static_cast<std::size_t>(dimensions), periodic)});
  buffer_exchange exchange(grid);
  std::map<direction, std::vector<int>> out, in;
  for (const auto& d : all_directions(dimensions)) {
    out[d] = letter(rank, d, 0);
    in[d].assign(letter(0, opposite(d), 0).size(), -1);
    exchange.send_to(d, out[d].data(), static_cast<wherry::index_t>(out[d].size() * sizeof(int)));
    exchange.receive_from(d, in[d].data(), static_cast<wherry::index_t>(in[d].size() * sizeof(int)));
  }
  exchange.commit();
  for (int round = 0; round < 3; ++round) {
    for (auto& [d, words] : out) std::ranges::copy(letter(rank, d, round), words.begin());
    if (round == 1) {
      exchange.start();
      while (!exchange.test()) {
      }
    } else {
      exchange();
    }
    for (const auto& [d, words] : in) {
      const int from = exchange.neighbor(d);
      const auto expected = from < 0 ? std::vector<int>(words.size(), -1) : letter(from, opposite(d), round);
      CHECK_EQUAL(words, expected);
    }
  }
}

}  // namespace

WHERRY_TEST(all_directions_arrive, ranks(1, 2, 3, 4, 8).not_simulated("windows of all pairs: minutes")) {
  for (int dimensions = 1; dimensions <= 4; ++dimensions)
    for (const bool periodic : {false, true}) check_all_directions(test.comm, test.rank, dimensions, periodic);
}

WHERRY_TEST(directions_known_to_the_compiler, ranks(1, 2, 4)) {
  const process_grid grid(test.comm, {.periodic = {true, true, true}});
  buffer_exchange exchange(grid);
  double out = test.rank, in = -1, more_out = 10 + test.rank, more_in = -1;
  exchange.send_to<0, 1, 1>(&out, static_cast<wherry::index_t>(sizeof out));
  exchange.receive_from<0, -1, -1>(&in, static_cast<wherry::index_t>(sizeof in));
  exchange.send_to({1, 0, 0}, &more_out, sizeof more_out);
  exchange.receive_from({-1, 0, 0}, &more_in, sizeof more_in);
  exchange.commit();
  exchange();
  CHECK_EQUAL(in, exchange.neighbor(direction{0, -1, -1}));
  CHECK_EQUAL(more_in, 10 + exchange.neighbor(direction{-1, 0, 0}));
}

// Registering again with another address costs nothing and needs no setup, not even on all ranks.
WHERRY_TEST(another_address, ranks(1, 2, 3)) {
  const process_grid grid(test.comm, {.periodic = {true}});
  buffer_exchange exchange(grid);
  int out = test.rank, in = -1, other_in = -1;
  exchange.send_to<1>(&out, 4);
  exchange.receive_from<-1>(&in, 4);
  exchange.commit();
  exchange();
  if (test.rank == 0) exchange.receive_from<-1>(&other_in, 4);
  CHECK(!exchange.needs_commit());
  out += 100;
  exchange();
  const int from = (test.rank + test.size - 1) % test.size;
  CHECK_EQUAL(in, test.rank == 0 ? from : 100 + from);
  CHECK_EQUAL(other_in, test.rank == 0 ? 100 + from : -1);
  exchange.send_to<1>(&out, 2);
  CHECK(exchange.needs_commit());
  CHECK_THROWS_WITH(exchange.start(), "'commit' must be called after the last registration");
}

// Ranks beyond the grid's extents take part in what is collective and get nothing.
WHERRY_TEST(more_ranks_than_the_grid, ranks(3, 8)) {
  const process_grid grid(test.comm, {.periodic = {true, true}, .extents = {2, 1}});
  buffer_exchange exchange(grid);
  int out = test.rank, in = -1;
  exchange.send_to({1, 0}, &out, 4);
  exchange.receive_from({-1, 0}, &in, 4);
  exchange.commit();
  exchange();
  CHECK_EQUAL(in, test.rank < 2 ? 1 - test.rank : -1);
}

// A face of a C array of one rank to a face of a Fortran array of the other, by MPI datatypes.
WHERRY_TEST(mpi_datatypes, ranks(1, 2, 3, 4, 8).not_simulated("SimGrid's MPI_Type_dup breaks vectors")) {
  constexpr int n = 5;
  const process_grid grid(test.comm, {.periodic = {true, false}});
  std::vector<double> array(n * n), halo(n, -1);
  std::iota(array.begin(), array.end(), 100.0 * test.rank);
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(n, 1, n, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  buffer_exchange exchange(grid);
  exchange.send_to({1, 0}, wherry::mpi_buffer(array.data() + 2, 1, column));
  exchange.receive_from({-1, 0}, wherry::mpi_buffer(halo.data(), n, MPI_DOUBLE));
  MPI_Type_free(&column);
  exchange.commit();
  for (int round = 0; round < 2; ++round) {
    std::fill(halo.begin(), halo.end(), -1);
    exchange();
    const int from = exchange.neighbor(direction{-1, 0});
    for (int i = 0; i < n; ++i) CHECK_EQUAL(halo[static_cast<std::size_t>(i)], 100.0 * from + i * n + 2);
  }
}

WHERRY_TEST(absolute_addresses, ranks(1, 2)) {
  const process_grid grid(test.comm, {.periodic = {true}});
  int a = test.rank, b = 10 + test.rank;
  int in[2] = {-1, -1};
  MPI_Aint places[2];
  MPI_Get_address(&a, &places[0]);
  MPI_Get_address(&b, &places[1]);
  const int lengths[2] = {1, 1};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Datatype both = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, places, types, &both);
  MPI_Type_commit(&both);
  buffer_exchange exchange(grid);
  exchange.send_to<1>(wherry::mpi_buffer(MPI_BOTTOM, 1, both));
  exchange.receive_from<-1>(in, 8);
  exchange.commit();
  exchange();
  MPI_Type_free(&both);
  const int from = (test.rank + test.size - 1) % test.size;
  CHECK_EQUAL(in[0], from);
  CHECK_EQUAL(in[1], 10 + from);
}

// Instead of packed buffers: the column of an array, and a user's own structure, by direction.
WHERRY_TEST(sections_and_structures_by_direction, ranks(1, 2, 3, 4)) {
  const process_grid grid(test.comm, {.periodic = {true}});
  std::vector<int> memory(12), halo(4, -1), evens(2, -1);
  std::iota(memory.begin(), memory.end(), 100 * test.rank);
  const wherry::view<int, 2> array(memory.data(), {3, 4});
  const auto source = wherry::make_structure(
      memory,
      [](const std::vector<int>& from, wherry::index_t region, std::byte* wire) {
        const int pair[2] = {from[static_cast<std::size_t>(region)], from[static_cast<std::size_t>(region) + 2]};
        std::copy_n(reinterpret_cast<const std::byte*>(pair), sizeof pair, wire);
      },
      [](std::vector<int>&, wherry::index_t, const std::byte*) {});
  buffer_exchange exchange(grid);
  exchange.send_to<1>(section_of(array, wherry::box<2>{{1, 0}, {2, 4}}));
  exchange.receive_from<-1>(halo.data(), 16);
  exchange.send_to<-1>(source, 4, 8);
  exchange.receive_from({1}, evens.data(), 8);
  exchange.commit();
  exchange();
  const int west = exchange.neighbor(direction{-1}), east = exchange.neighbor(direction{1});
  for (int j = 0; j < 4; ++j) CHECK_EQUAL(halo[static_cast<std::size_t>(j)], 100 * west + 1 + 3 * j);
  CHECK_EQUAL(evens, (std::vector<int>{100 * east + 4, 100 * east + 6}));
}

// Negative: everything is found before anything is sent, on all ranks.
WHERRY_TEST(sizes_that_differ, ranks(1, 2, 4)) {
  const process_grid grid(test.comm, {.periodic = {true, true}});
  buffer_exchange exchange(grid);
  char out[16] = "", in[16] = "";
  exchange.send_to({0, 1}, out, 16);
  exchange.send_to({0, -1}, out, 16);
  exchange.receive_from({0, 1}, in, 16);
  exchange.receive_from({0, -1}, in, test.rank == test.size - 1 ? 12 : 16);
  const int to = test.size - 1, from = exchange.neighbor(direction{0, -1});
  if (test.rank == to) {
    CHECK_THROWS_WITH(exchange.commit(),
                      wherry::detail::text("rank ", from, " sends 16 bytes to rank ", to,
                                           " (direction (0,1) of the sender), which expects 12 bytes")
                          .c_str());
  } else {
    CHECK_THROWS_WITH(exchange.commit(), "which expects 12 bytes");
  }
  exchange.receive_from({0, -1}, in, 16);
  exchange.commit();
  exchange();
}

WHERRY_TEST(one_side_is_missing, ranks(1, 2, 3)) {
  const process_grid grid(test.comm, {.periodic = {true}});
  char out[16] = "", in[16] = "";
  buffer_exchange lonely_send(grid);
  lonely_send.send_to<1>(out, 16);
  CHECK_THROWS_WITH(lonely_send.commit(), "which expects nothing there");
  buffer_exchange lonely_receive(grid);
  lonely_receive.receive_from<1>(in, 16);
  CHECK_THROWS_WITH(lonely_receive.commit(), "which sends nothing there");
}

WHERRY_TEST(wrong_arguments, ranks(1, 2, 3)) {
  const process_grid grid(test.comm, {.periodic = {true, true}});
  char out[16] = "";
  const auto setup_after = [&](auto registration) {
    buffer_exchange exchange(grid);
    if (test.rank == 0) registration(exchange);
    exchange.commit();
  };
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send_to({2, 0}, out, 16); }), "other than -1, 0 and 1");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send_to({0, 0}, out, 16); }), "leads to the rank itself");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send_to({1, 0, 0}, out, 16); }), "the grid has 2 dimensions");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send_to({1, 0}, nullptr, 16); }), "null pointer");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send_to({1, 0}, out, -3); }), "has -3 bytes");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send_to({1, 0}, wherry::mpi_buffer(out, -1, MPI_CHAR)); }),
                    "'count' is -1");
  CHECK_THROWS_WITH(buffer_exchange(grid).start(), "'commit' must be called");
}
