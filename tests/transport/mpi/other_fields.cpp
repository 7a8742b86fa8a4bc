// `start` with other arrays than those an exchange was made for: of the same shape it costs nothing; of another one it
// is an error that names the argument and both figures, and nothing is written.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using wherry::error_kind;
using namespace wherry_test;

namespace {

// Memory with room on all sides of what is used, to see what is overwritten.
template <class T> struct guarded {
  std::vector<T> memory = std::vector<T>(1200, T{});

  T* cells() { return memory.data() + 400; }
  std::vector<std::byte> bytes() const {
    const auto raw = std::as_bytes(std::span(memory));
    return {raw.begin(), raw.end()};
  }
};

// `start` and the call operator refuse, and not a byte of any array changes.
void refused(const context& test, const std::string& title, const std::string& words,
             const std::function<void()>& start, const std::function<std::vector<std::byte>()>& bytes) {
  const auto before = bytes();
  all_throw(test, title, error_kind::argument, words, start);
  CHECK(bytes() == before);
}

// Two fields of 4 × 4 cells with a halo of 1. The second argument of start is `given`.
template <class T>
void refuse_halo(const context& test, const std::string& title, const std::string& words, guarded<T>& other,
                 const wherry::halo_view<T, 2>& given) {
  const wherry::process_grid torus(test.comm, {.periodic = {true, true}});
  std::vector<double> first(36, 1), second(36, 1);
  const auto u = wherry::halo_around(first, {4, 4}, 1), v = wherry::halo_around(second, {4, 4}, 1);
  wherry::halo_exchange exchange(torus, u, v);
  const auto said = "field 1 that start was given has " + words;
  const auto bytes = [&] { return other.bytes(); };
  refused(test, title, said, [&] { exchange.start(u, given); }, bytes);
  refused(test, title + ", at once", said, [&] { exchange(u, given); }, bytes);
  exchange(v, u);  // goes on
  exchange(first.data(), v);
}

}  // namespace

WHERRY_TEST(halos_of_other_shapes_are_refused, ranks(1, 2, 4)) {
  guarded<double> doubles;
  guarded<float> floats;
  guarded<std::int64_t> integers;
  guarded<std::array<double, 2>> pairs;
  auto* cells = doubles.cells();
  using view = wherry::view<double, 2>;
  const auto c = wherry::c_layout<2>();
  const std::string not_4 = " where the exchange was made for ";
  refuse_halo<double>(test, "another length", "along dimension 1 a length of 8" + not_4 + "6", doubles,
                      wherry::halo_inside(view(cells, {6, 8}), 1));
  refuse_halo<double>(test, "padding", "along dimension 1 a stride in bytes of 64" + not_4 + "48", doubles,
                      wherry::halo_inside(view(cells, {6, 6}, wherry::point<2>{1, 8}), 1));
  refuse_halo<double>(test, "another order", "along dimension 0 a stride in bytes of 48" + not_4 + "8", doubles,
                      wherry::halo_inside(view(cells, {6, 6}, c), 1));
  refuse_halo<double>(test, "another width", "along dimension 0 a minus width of 2" + not_4 + "1", doubles,
                      wherry::halo_inside(view(cells, {6, 6}), {{2, 1}, {0, 1}}));
  refuse_halo<double>(test, "another core", "along dimension 0 a begin of 2" + not_4 + "1", doubles,
                      {view(cells, {6, 6}), {{{1, 1, 2, 4, 6}, {1, 1, 1, 4, 6}}}});
  refuse_halo<float>(test, "smaller elements", "elements that are 4-byte floating-point" + not_4, floats,
                     wherry::halo_inside(wherry::view<float, 2>(floats.cells(), {6, 6}), 1));
  refuse_halo<std::int64_t>(test, "another type", "elements that are 8-byte signed integer" + not_4, integers,
                            wherry::halo_inside(wherry::view<std::int64_t, 2>(integers.cells(), {6, 6}), 1));
  refuse_halo<std::array<double, 2>>(
      test, "larger elements", "an element size of 16" + not_4 + "8", pairs,
      wherry::halo_inside(wherry::view<std::array<double, 2>, 2>(pairs.cells(), {6, 6}), 1));
}

// The smallest case of the issue: a field of other padding, in memory of ours.
WHERRY_TEST(fields_of_other_shapes_are_refused, ranks(1, 2, 4)) {
  const wherry::process_grid torus(test.comm, {.periodic = {true, true, true}});
  using field = wherry::field<double, 3>;
  field u(torus.comm(), {4, 4, 4}, 1), same(torus.comm(), {4, 4, 4}, 1), wider(torus.comm(), {4, 4, 4}, 2);
  field longer(torus.comm(), {4, 4, 5}, 1), turned(torus.comm(), {4, 4, 4}, 1, {.layout = wherry::c_layout<3>()});
  wherry::field<double, 2> flat(torus.comm(), {4, 4}, 1);
  wherry::halo_exchange exchange(torus, u);
  const auto refuse = [&](const char* title, const char* words, auto& given) {
    all_throw(test, title, error_kind::argument, words, [&] { exchange.start(given); });
  };
  refuse("width", "a length of 8 where the exchange was made for 6", wider);
  refuse("size", "along dimension 2 a length of 7 where the exchange was made for 6", longer);
  refuse("order", "a stride in bytes of", turned);
  refuse("dimensions", "a number of dimensions of 2 where the exchange was made for 3", flat);
  exchange(same);
  exchange(same.view_with_halo());
  exchange(same.data());
}

// Fields of several subdomains count on; what was bound without a type takes any.
WHERRY_TEST(halos_bound_with_erased_types, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  const auto ring = wherry::domain<1>::torus({{0}, {8 * test.size}});
  std::vector<int> owners;
  for (int i = 0; i < 2 * test.size; ++i) owners.push_back(i / 2);
  const auto cut = wherry::even_blocks<1>(ring.cells, {2 * test.size}, owners);
  std::vector<double> memory(24);
  const auto part = [&](std::size_t first, std::size_t size) {
    return wherry::halo_inside(std::span(memory).subspan(first, size), {static_cast<wherry::index_t>(size)}, 1);
  };
  const auto a = part(0, 6), b = part(6, 6), longer = part(12, 7);
  auto first = halo_of(a), second = halo_of(b);
  first.type = second.type = {};
  wherry::halo_exchange exchange(comm, cut, ring, {}, {{first}, {second}});
  exchange(a, b);
  all_throw(test, "second subdomain", error_kind::argument,
            "field 1 that start was given has along dimension 0 a length of 7", [&] { exchange.start(a, longer); });
}

WHERRY_TEST(arrays_of_other_lengths_are_refused, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const wherry::index_lists lists{{{next, {0}}}, {{before, {9}}}};
  std::vector<double> u(10), other(10), shorter(5), longer(11);
  std::vector<float> floats(10);
  std::vector<std::int64_t> integers(10);
  std::vector<double> wide(30);
  const wherry::view<double, 2> xyz(wide.data(), {3, 10}), by_component(wide.data(), {3, 10}, wherry::c_layout<2>());
  wherry::index_exchange exchange(comm, lists, u, xyz);
  const auto refuse = [&](const char* title, const std::string& words, auto&&... given) {
    const auto before_it = wide;
    all_throw(test, title, error_kind::argument, words, [&] { exchange.start(given...); });
    CHECK(wide == before_it);
  };
  const std::string made = " where the exchange was made for ";
  refuse("shorter", "array 0 that start was given has a number of elements of 5" + made + "10", shorter, xyz);
  refuse("longer", "array 0 that start was given has a number of elements of 11" + made + "10", longer, xyz);
  refuse("float", "array 0 that start was given has elements that are 4-byte floating-point" + made, floats, xyz);
  refuse("integer", "array 0 that start was given has elements that are 8-byte signed integer" + made, integers, xyz);
  refuse("one component", "array 1 that start was given has an element size of 8" + made + "24", other, other);
  refuse("stride", "array 0 that start was given has a stride in bytes of 16" + made + "8",
         wherry::view<double, 1>(wide.data(), {10}, wherry::point<1>{2}), xyz);
  refuse("other layout", "array 1 that start was given has an element size of 8" + made + "24", other, by_component);
  refuse("one array", "start was given 1 arrays, but the exchange was made for 2", other);
  refuse("three arrays", "start was given 3 arrays, but the exchange was made for 2", other, xyz, other);
  exchange(other, xyz);
  exchange(std::span<double>(u), xyz);
}

WHERRY_TEST(x_arrays_of_other_shapes_are_refused, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  wherry::floor_plan<2> row, higher;
  wherry::motion_plan<2> plan;
  for (int i = 0; i < test.size; ++i) {
    row.add({{4 * i, 0}, {4 * i + 4, 4}}, i);
    higher.add({{4 * i, 0}, {4 * i + 4, 5}}, i);
  }
  for (int i = 0; i < test.size; ++i) {
    const int to = (i + 1) % test.size;
    plan.copy(i, {{4 * i, 0}, {4 * i + 1, 1}}, to, {{4 * to + 3, 0}, {4 * to + 4, 1}});
  }
  using array = wherry::x_array<double, 2>;
  array u(comm, row), v(comm, row), taller(comm, higher), ghosts(comm, row, {.ghost_width = 1});
  array turned(comm, row, {.layout = wherry::c_layout<2>()}), pairs(comm, row, {.components = 2});
  wherry::x_array<std::int64_t, 2> integers(comm, row);
  wherry::mover move(plan, u, v);
  const auto refuse = [&](const char* title, const std::string& words, const auto& source, auto& destination) {
    all_throw(test, title, error_kind::argument, words, [&] { move.start(source, destination); });
  };
  const std::string made = " where the mover was made for ";
  refuse("type", "the source has elements that are 8-byte signed integer" + made, integers, v);
  refuse("boxes", "the destination has a number of points of 20" + made + "16", u, taller);
  refuse("ghosts", "the source has a number of points of 36" + made + "16", ghosts, v);
  refuse("order", "the destination has a first stride in bytes of 32" + made + "8", u, turned);
  refuse("components", "the source has a number of components of 2" + made + "1", pairs, v);
  refuse("one array", "they are one array, not two", u, u);
  move.start(v, u);
  move.wait();
}

// What is under way is sent from, and arrives in, the fields that it was started with.
WHERRY_TEST(no_fields_are_set_between_start_and_wait, ranks(1, 2, 4)) {
  const wherry::process_grid torus(test.comm, {.periodic = {true, true}});
  std::vector<double> first(36, 1), second(36, 2);
  const auto u = wherry::halo_around(first, {4, 4}, 1);
  wherry::halo_exchange halo(torus, u);
  void* const other[] = {second.data()};
  halo.start();
  all_throw(test, "in flight", error_kind::state, "'set_fields' was called between 'start' and 'wait'",
            [&] { halo.bound().set_fields(other); });
  halo.wait();
  CHECK(second == std::vector<double>(36, 2));
  halo.bound().set_fields(other);
  second[7] = 3;  // the first cell of the core
  halo();
  CHECK_EQUAL(second[11], 3.0);  // beyond the last one of its row, in the halo of this rank or of the one before
}
