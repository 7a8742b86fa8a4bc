// Elements and operations that do not fit each other, on one rank or between two: an error that names both, before
// anything is sent.
#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using wherry::error_kind;
using namespace wherry_test;

namespace {

wherry::process_grid ring(const context& test) { return wherry::process_grid(test.comm, {.periodic = {true}}); }

wherry::floor_plan<1> row(const context& test) {
  wherry::floor_plan<1> plan;
  for (int i = 0; i < test.size; ++i) plan.add({{4 * i}, {4 * i + 4}}, i);
  return plan;
}

// Every box gets the first cell of the next one, the last one that of the first.
wherry::motion_plan<1> around(const context& test) {
  wherry::motion_plan<1> plan;
  for (int i = 0; i < test.size; ++i) {
    const int next = (i + 1) % test.size;
    plan.copy(next, {{4 * next}, {4 * next + 1}}, i, {{4 * i + 3}, {4 * i + 4}});
  }
  return plan;
}

// Element 0 goes to the next rank's element 1, around.
wherry::index_lists next_one(const context& test) {
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  return {{{next, {0}}}, {{before, {1}}}};
}

template <class T> void exchange_halos(const context& test, const wherry::halo_options& options = {}) {
  const auto grid = ring(test);
  wherry::field<T, 1> u(grid.comm(), {4}, 1);
  wherry::halo_exchange exchange(grid, options, u);
  exchange();
}

template <class T> void move_blocks(const context& test, const wherry::mover_options& how = {}) {
  const wherry::communicator comm(test.comm);
  wherry::x_array<T, 1> u(comm, row(test));
  wherry::mover move(around(test), u, u, how);
  move();
}

template <class T> void exchange_indices(const context& test, const wherry::index_options& options = {}) {
  const wherry::communicator comm(test.comm);
  std::vector<T> u(2);
  wherry::index_exchange exchange(comm, next_one(test), options, u);
  exchange();
}

template <class T> void move_points(const context& test, const wherry::mover_options& how = {}) {
  const wherry::communicator comm(test.comm);
  wherry::index_floor_plan<> plan;
  wherry::index_motion_plan<wherry::index_set> motions;
  for (int i = 0; i < test.size; ++i) plan.add(wherry::index_set{2 * i, 2 * i + 1}, i);
  for (int i = 0; i < test.size; ++i) {
    const int next = (i + 1) % test.size;
    motions.copy(next, wherry::index_set{2 * next}, i, wherry::index_set{2 * i + 1});
  }
  wherry::index_array<T, wherry::index_set> u(comm, plan);
  wherry::mover move(motions, u, u, how);
  move();
}

template <class T> void all_to_next(const context& test) {
  const wherry::communicator comm(test.comm);
  std::array<T, 2> out{}, in{};
  const wherry::view<T, 1> from(out.data(), {2}), to(in.data(), {2});
  wherry::alltoall_exchange exchange(comm);
  exchange.send((test.rank + 1) % test.size, from, from.whole());
  exchange.receive((test.rank + test.size - 1) % test.size, to, to.whole());
  exchange.commit();
  exchange();
}

template <class T> void to_neighbors(const context& test) {
  std::array<T, 2> out{}, in{};
  wherry::buffer_exchange exchange(ring(test));
  exchange.send_to({1}, wherry::section_of(wherry::view<T, 1>(out.data(), {2})));
  exchange.receive_from({-1}, wherry::section_of(wherry::view<T, 1>(in.data(), {2})));
  exchange.commit();
  exchange();
}

template <class T> void broadcast_section(const context& test) {
  std::array<T, 2> u{};
  wherry::bcast_exchange everywhere(ring(test), wherry::view<T, 1>(u.data(), {2}));
  everywhere();
}

template <class T> void scatter_and_gather(const context& test, bool gather) {
  const auto grid = ring(test);
  wherry::field<T, 1> u(grid.comm(), {2}, 1);
  std::vector<T> all(static_cast<std::size_t>(2 * test.size));
  const wherry::view<T, 1> global(all.data(), {2 * test.size});
  if (gather)
    wherry::gather_exchange(grid, u, global)();
  else
    wherry::scatter_exchange(grid, global, u)();
}

// `act` with T on the last rank and U on the others.
template <class T, class U, class Act> void on_last(const context& test, Act act) {
  if (test.rank == test.size - 1)
    act(T{});
  else
    act(U{});
}

template <class T> void reduce_in_group(const context& test, const wherry::plans::typed_reduction& how) {
  wherry::rank_group group(test.comm);
  for (int rank = 0; rank < test.size; ++rank) group.add(rank);
  group.commit();
  const std::vector<T> in(8);
  std::vector<T> out(8);
  group.allreduce(std::span<const T>(in), std::span<T>(out), how);
}

struct pair_of_floats {
  float a = 0, b = 0;
};
struct other_pair {
  std::int32_t a = 0, b = 0;
};
struct velocity {
  double x = 0, y = 0;
};

template <class T, class U> void differing(const context& test, const std::string& title, const std::string& words) {
  const auto refused = [&](const char* pattern, const std::function<void()>& act) {
    all_throw(test, title + ", " + pattern, error_kind::mismatch, words, act);
  };
  refused("halo exchange", [&] { on_last<T, U>(test, [&](auto x) { exchange_halos<decltype(x)>(test); }); });
  refused("mover", [&] { on_last<T, U>(test, [&](auto x) { move_blocks<decltype(x)>(test); }); });
  refused("index exchange", [&] { on_last<T, U>(test, [&](auto x) { exchange_indices<decltype(x)>(test); }); });
  refused("index mover", [&] { on_last<T, U>(test, [&](auto x) { move_points<decltype(x)>(test); }); });
  refused("all to all", [&] { on_last<T, U>(test, [&](auto x) { all_to_next<decltype(x)>(test); }); });
  refused("buffers", [&] { on_last<T, U>(test, [&](auto x) { to_neighbors<decltype(x)>(test); }); });
  refused("broadcast", [&] { on_last<T, U>(test, [&](auto x) { broadcast_section<decltype(x)>(test); }); });
  refused("scatter", [&] { on_last<T, U>(test, [&](auto x) { scatter_and_gather<decltype(x)>(test, false); }); });
  refused("gather", [&] { on_last<T, U>(test, [&](auto x) { scatter_and_gather<decltype(x)>(test, true); }); });
}

void operations_differ(const context& test, const std::string& words, const wherry::plans::typed_reduction& last,
                       const wherry::plans::typed_reduction& others) {
  const auto& mine = test.rank == test.size - 1 ? last : others;
  const auto refused = [&](const char* pattern, const std::function<void()>& act) {
    all_throw(test, pattern, error_kind::mismatch, words, act);
  };
  refused("halo update", [&] { exchange_halos<double>(test, {.reverse = true, .update = mine}); });
  refused("mover", [&] { move_blocks<double>(test, {.update = mine}); });
  refused("index update", [&] { exchange_indices<double>(test, {.reverse = true, .update = mine}); });
  refused("index mover", [&] { move_points<double>(test, {.update = mine}); });
}

template <class T>
void operation_refused(const context& test, const std::string& words, const wherry::plans::typed_reduction& what) {
  const auto refused = [&](const char* pattern, const std::function<void()>& act) {
    all_throw(test, pattern, error_kind::argument, words, act);
  };
  refused("halo update", [&] { exchange_halos<T>(test, {.reverse = true, .update = what}); });
  refused("mover", [&] { move_blocks<T>(test, {.update = what}); });
  refused("index update", [&] { exchange_indices<T>(test, {.reverse = true, .update = what}); });
  refused("index mover", [&] { move_points<T>(test, {.update = what}); });
  refused("copies", [&] { exchange_halos<T>(test, {.combine_copies = what}); });
  refused("group", [&] { reduce_in_group<T>(test, what); });
}

template <class T> void operation_accepted(const context& test, const wherry::plans::typed_reduction& what) {
  reduce_in_group<T>(test, what);
  exchange_halos<T>(test, {.reverse = true, .update = what});
  move_blocks<T>(test, {.update = what});
  exchange_indices<T>(test, {.reverse = true, .update = what});
  move_points<T>(test, {.update = what});
  pass();  // none of them is refused
}

}  // namespace

template <> struct wherry::made_of<velocity> {
  using type = double;
};

// The sizes fit: the sum of floats, applied to doubles, gave 384 for 3.
WHERRY_TEST(operations_fit_their_elements, ranks(1, 2, 3)) {
  operation_refused<double>(test, "'add' works on 4-byte floating-point", wherry::reduction_of<float>(std::plus<>{}));
  operation_refused<float>(test, "'max' works on 4-byte signed integer",
                           wherry::reduction_of<std::int32_t>(wherry::maximum{}));
  operation_refused<std::int64_t>(test, "has 8-byte signed integer", wherry::reduction_of<double>(wherry::minimum{}));
  operation_refused<unsigned>(test, "has 4-byte unsigned integer", wherry::reduction_of<int>(std::plus<>{}));
  operation_refused<std::complex<float>>(test, "has 8-byte complex", wherry::reduction_of<double>(std::plus<>{}));
  operation_refused<pair_of_floats>(test, "has 8-byte user's type", wherry::reduction_of<float>(std::plus<>{}));
}

WHERRY_TEST(operations_that_fit_are_accepted, ranks(1, 2)) {
  operation_accepted<double>(test, wherry::reduction_of<double>(std::plus<>{}));
  operation_accepted<long long>(test, wherry::reduction_of<std::int64_t>(std::plus<>{}));
  operation_accepted<std::complex<double>>(test, wherry::reduction_of<std::complex<double>>(std::plus<>{}));
  operation_accepted<std::array<float, 3>>(test, wherry::reduction_of<float>(std::plus<>{}));
  operation_accepted<velocity>(test, wherry::reduction_of<double>(std::plus<>{}));
  const auto first = [](const auto& a, const auto&) { return a; };
  operation_accepted<pair_of_floats>(test, wherry::make_reduction<pair_of_floats>("first", first));
  operation_accepted<double>(test, wherry::make_reduction<std::byte>("first", first));
}

WHERRY_TEST(ranks_agree_on_element_types, ranks(2, 3)) {
  differing<float, int>(test, "float, int", "4-byte floating-point");
  differing<float, int>(test, "float, int", "4-byte signed integer");
  differing<unsigned, int>(test, "unsigned, int", "4-byte unsigned integer");
  differing<char, signed char>(test, "char, signed char", "1-byte character");
  differing<std::complex<float>, double>(test, "complex, double", "8-byte complex");
  differing<pair_of_floats, double>(test, "a struct, double", "8-byte user's type");
  differing<pair_of_floats, other_pair>(test, "two structs", "8-byte user's type");
}

WHERRY_TEST(ranks_agree_on_operations, ranks(2, 3)) {
  operations_differ(test, "'add' of 8-byte floating-point", wherry::reduction_of<double>(std::plus<>{}),
                    wherry::reduction_of<double>(wherry::maximum{}));
  operations_differ(test, "'max' of 8-byte floating-point", wherry::reduction_of<double>(std::plus<>{}),
                    wherry::reduction_of<double>(wherry::maximum{}));
  const auto first = [](double a, double) { return a; };
  operations_differ(test, "'mine'", wherry::make_reduction<double>("mine", first),
                    wherry::reduction_of<double>(std::plus<>{}));
}

// What is only bytes fits everything: a pointer and a size on one side, an array on the other.
WHERRY_TEST(raw_bytes_fit_all_elements, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  double in[2] = {}, out[2] = {1.0 * test.rank, -1.0};
  wherry::alltoall_exchange exchange(comm);
  const wherry::view<double, 1> array(in, {2});
  exchange.send(next, out, sizeof out);
  exchange.receive(before, array, array.whole());
  exchange.commit();
  exchange();
  CHECK_EQUAL(in[0], 1.0 * before);
  CHECK_EQUAL(in[1], -1.0);
}
