// Ghost layers and their fields refuse wrong arguments and calls, on the right ranks and in words that name the fault.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/ghost_layers.hpp"

#include "harness/harness.hpp"
#include "support/absent_rank.hpp"
#include "support/all_throw.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::ghost_layers;
using wherry::index_lists;
using wherry::layered_field;

namespace {

/// A ring in which each rank has three rows, and two of the next rank's as ghosts, in two layers: elements 3 and 4.
std::vector<index_lists> ring_of(const context& test) {
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  return {{{{before, {0}}}, {{next, {3}}}}, {{{before, {1}}}, {{next, {4}}}}};
}

}  // namespace

WHERRY_TEST(layers_are_checked, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const bool faulty = test.rank == test.size - 1;
  const auto refused = [&](const std::string& words, auto change, error_kind kind = error_kind::argument) {
    all_throw(test, "layers", kind, words, [&] {
      auto lists = ring_of(test);
      if (faulty) change(lists);
      ghost_layers made(comm, lists);
    });
  };
  refused("layer 2: a list is for rank " + std::to_string(test.size),
          [&](auto& lists) { lists[1].sends[0].peer = test.size; });
  refused("layer 1: an index for rank", [&](auto& lists) { lists[0].receives[0].at[0] = -2; });
  refused("layer 2: element 3 is received twice, the first time in layer 1",
          [&](auto& lists) { lists[1].receives[0].at[0] = 3; });
  all_throw(test, "none", error_kind::argument, "'layers' is empty, expected the lists of at least one layer",
            [&] { ghost_layers made(comm, std::vector<index_lists>{}); });
  if (test.size > 1)
    refused("the ranks disagree on the number of layers", [](auto& lists) { lists.pop_back(); }, error_kind::mismatch);

  const std::vector<long long> rows{test.rank}, none;
  all_throw(test, "no ids", error_kind::argument, "'externals' is empty, expected at least one layer",
            [&] { wherry::resolve_layers(comm, rows, std::vector<std::vector<long long>>{}); });
  if (test.size > 1)
    all_throw(test, "layers of ids", error_kind::mismatch, "the ranks disagree on the number of layers",
              [&] { wherry::resolve_layers(comm, rows, std::vector<std::vector<long long>>(faulty ? 2u : 1u)); });
  const std::vector<long long> zero{0};
  all_throw(test, "an id in two layers", error_kind::argument, "id 0 is listed twice: as external 0 and as external 1",
            [&] { wherry::resolve_layers(comm, rows, {faulty ? zero : none, faulty ? zero : none}); });
}

WHERRY_TEST(calls_are_checked, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const bool faulty = test.rank == test.size - 1;
  ghost_layers layers(comm, ring_of(test), {.carry = {.name = "ring"}});
  const ghost_layers others(comm, ring_of(test));
  std::vector<double> values(5);
  layered_field u(layers, values, "u"), foreign(others, values, "foreign");
  for (const int depth : {0, -1, 3}) {
    const auto words = "ghost layers 'ring', rank " + std::to_string(test.rank);
    all_throw(test, "depth", error_kind::argument, "'depth' is " + std::to_string(depth) + ", expected 1 to 2",
              [&] { layers.exchange(depth, values); });
    all_throw(test, "depth", error_kind::argument, "'depth' is", [&] { layers.exchange_if_needed(depth, u); });
    all_throw(test, "depth", error_kind::argument, "'depth' is", [&] { layers.reduce_to_owners(depth, u); });
    all_throw(test, "elements", error_kind::argument, "expected 1 to 2", [&] { layers.elements(depth); });
    all_throw(test, "lists", error_kind::argument, "expected 1 to 2", [&] { layers.lists(depth); });
  }
  for (const int depth : {-1, 3})
    all_throw(test, "mark", error_kind::argument, "'depth' of mark_written is", [&] { u.mark_written(depth); });
  all_throw(test, "foreign", error_kind::argument, "field 1 'foreign' was made for other layers than these",
            [&] { layers.exchange(1, u, foreign); });

  // Short arrays: on all ranks when it is bound, and then on the rank itself.
  std::vector<double> brief(4);
  const auto words = std::string("field 1 has 4 elements, expected 5 or more for depth 2");
  all_throw(test, "short", error_kind::argument, words, [&] { layers.exchange(2, values, faulty ? brief : values); });
  layers.exchange(2, values, values);
  all_throw(test, "short again", error_kind::argument, words, [&] { layers.exchange(2, values, brief); });
  layers.exchange(1, brief, brief);

  all_throw(test, "not started", error_kind::state, "'wait' was called without 'start'", [&] { layers.wait(); });
  CHECK(layers.test());
  layers.start(1, u);
  all_throw(test, "started", error_kind::state, "an exchange is in flight", [&] { layers.start(1, values); });
  layers.wait();
  layers.start_if_needed(1, u);  // of which nothing is needed
  all_throw(test, "started", error_kind::state, "an exchange is in flight", [&] { layers.start(1, values); });
  layers.abandon();
  layers.start_if_needed(1, u);
  layers.wait();
  CHECK_EQUAL(u.clean_depth(), 1);

  // An update without a meaning for the elements.
  struct pair {
    int a, b;
  };
  std::vector<pair> pairs(5);
  all_throw(test, "update", error_kind::argument, "the update 'add' has no meaning for elements",
            [&] { layers.reduce_to_owners(1, pairs); });
}

WHERRY_TEST(abandoned_layers, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  ghost_layers layers(comm, ring_of(test));
  layered_field u(layers, std::vector<int>{test.rank, test.rank + 10, 0, -1, -1});
  layers.start(2, u);
  layers.abandon();
  all_throw(test, "abandoned", error_kind::state, "these layers were abandoned; a copy of them works",
            [&] { layers.exchange(1, u); });
  CHECK_EQUAL(u.clean_depth(), 0);
  patient_barrier(test.comm);
  layers = ghost_layers(layers);
  layers.exchange(2, u);
  const int next = (test.rank + 1) % test.size;
  CHECK_EQUAL(u.values()[3], next);
  CHECK_EQUAL(u.values()[4], next + 10);
  CHECK_EQUAL(u.clean_depth(), 2);
}

WHERRY_TEST(disagreeing_ranks_are_told, ranks(2, 3).not_simulated(one_environment)) {
  const wherry::communicator comm(test.comm);
  ghost_layers layers(comm, ring_of(test));
  std::vector<double> values(5);
  std::vector<float> floats(5);
  layered_field u(layers, values);
  layered_field v(layers, floats);
  // When an exchange is bound, without WHERRY_CHECK.
  if (test.rank == 1) u.mark_written(1);
  all_throw(test, "bound", error_kind::mismatch, "the ranks disagree on the clean depth of field 0",
            [&] { layers.exchange_if_needed(2, u); });
  u.mark_written(0);
  layers.exchange(1, u);
  layers.exchange(2, u);
  const with_setting checked("check", "1", "0");
  all_throw(test, "depths", error_kind::mismatch, "the ranks disagree on the depth",
            [&] { layers.exchange(test.rank == 1 ? 2 : 1, u); });
  if (test.rank == 1) u.mark_written();
  all_throw(test, "marks", error_kind::mismatch, "the ranks disagree on the clean depth of field 1",
            [&] { layers.exchange_if_needed(2, v, u); });
  all_throw(test, "calls", error_kind::mismatch, "the ranks disagree on the call", [&] {
    if (test.rank == 1)
      layers.exchange(2, u);
    else
      layers.exchange_if_needed(2, u);
  });
  all_throw(test, "numbers", error_kind::mismatch, "the ranks disagree on the number of fields", [&] {
    if (test.rank == 1)
      layers.exchange(2, u);
    else
      layers.exchange(2, u, v);
  });
  // Types of one size, of which one is bound, and strides of which one is.
  std::vector<int> whole(10);
  layers.exchange(2, v);
  all_throw(test, "types", error_kind::mismatch, "the ranks disagree on the element type of array 0", [&] {
    if (test.rank == 1)
      layers.exchange(2, v);
    else
      layers.exchange(2, whole);
  });
  layers.exchange(2, whole);
  all_throw(
      test, "strides", error_kind::mismatch, "the ranks disagree on whether an exchange of these fields is bound",
      [&] { layers.exchange(2, wherry::view<int, 1>(whole.data(), {5}, wherry::point<1>{test.rank == 1 ? 2 : 1})); });
  u.mark_written();
  layers.exchange_if_needed(2, u, v);
}

WHERRY_TEST(unmarked_writes_are_found, ranks(1, 2, 3).not_simulated(one_environment)) {
  const wherry::communicator comm(test.comm);
  ghost_layers layers(comm, ring_of(test));
  const with_setting checked("check", "1", "0");
  layered_field u(layers, std::vector<double>(5), "pressure");
  std::vector<int> apart(10);
  layered_field v(layers, wherry::view<int, 2>(apart.data(), {2, 5}, wherry::c_layout<2>()));
  layers.exchange(2, u, v);
  for (const int element : {3, 4}) u.values()[static_cast<std::size_t>(element)] = 5;  // ghosts are no owned values
  layers.exchange_if_needed(2, v, u);
  const bool faulty = test.rank == test.size - 1;
  if (faulty) u.values()[1] = 7;
  const auto changed = "but its owned values have changed: call mark_written after writing them";
  all_throw(test, "all clean", error_kind::state, changed, [&] { layers.exchange_if_needed(2, v, u); });
  all_throw(test, "partly clean", error_kind::state, "'pressure'", [&] { layers.exchange_if_needed(1, u); });
  all_throw(test, "beyond the depth", error_kind::state, "counts as clean to depth 2", [&] { layers.exchange(1, u); });
  layers.exchange(2, u);  // all that counts as clean is filled again
  layers.exchange_if_needed(2, u);
  if (faulty) apart[1] = 1;
  all_throw(test, "a view", error_kind::state, "field 0 at 0x", [&] { layers.exchange_if_needed(2, v); });
  v.mark_written();
  layers.exchange_if_needed(2, v);
  // Values computed on this rank are compared from `mark_written` on.
  u.values()[1] = 9;
  u.mark_written(1);
  layers.exchange_if_needed(1, u);
  if (faulty) u.values()[2] = 10;
  all_throw(test, "after a mark", error_kind::state, changed, [&] { layers.exchange_if_needed(2, u); });
  // A copy of a field, and a field swapped with another, are checked, too.
  u.mark_written();
  layers.exchange(1, u);
  auto copy = u, other = u;
  if (faulty) copy.values()[0] = 11;
  std::swap(copy, other);
  all_throw(test, "a swapped copy", error_kind::state, changed, [&] { layers.exchange_if_needed(1, other); });
  layers.exchange_if_needed(1, u, copy);
}

WHERRY_TEST(a_late_rank_is_named_by_layers, ranks(2, 3).not_simulated("a rank sleeps")) {
  const wherry::communicator comm(test.comm);
  absent_rank absent(test);
  const with_setting in_time("timeout", "0.3", "0");
  const int late = test.size - 1;
  ghost_layers layers(comm, ring_of(test));
  layered_field u(layers, std::vector<double>(5));
  const auto binds = [&] { layers.exchange(2, u); };
  absent.during(late, [&] { ends_in_time("binding", late, binds); });
  if (test.rank == late) ends_in_time("binding", late, binds);  // it learns that the others have given up
  binds();
  u.mark_written();
  const int receiver = (late + test.size - 1) % test.size;  // its ghosts are elements of the late rank
  absent.during(late, [&] {
    layers.start(2, u);
    if (test.rank == receiver) ends_in_time("bound", late, [&] { layers.wait(); });
  });
  CHECK_EQUAL(u.clean_depth(), 0);
  if (test.rank == late) layers.start(2, u);
  layers.wait();
  CHECK_EQUAL(u.clean_depth(), 2);

  // A rank for which the field counts as clean does not come, which WHERRY_CHECK would have told.
  if (test.rank == late) {
    u.mark_written(2);
    layers.exchange_if_needed(2, u);
  }
  absent.during(late, [&] {
    u.mark_written();
    layers.start_if_needed(2, u);
    if (test.rank == receiver) ends_in_time("marked otherwise", late, [&] { layers.wait(); });
  });
  if (test.rank == late) layers.start(2, u);
  layers.wait();
  CHECK_EQUAL(u.clean_depth(), 2);
}
