// Ghosts in layers against a model that knows which version of its owner's value each ghost has.
#include "wherry/halo/ghost_layers.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/harness.hpp"
#include "layered_mesh.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::ghost_layers;
using wherry::index_t;
using wherry::layered_field;

namespace {

ghost_layers layers_of(const wherry::communicator& comm, const layered_mesh& mesh, bool by_ids,
                       const wherry::layer_options& options = {}) {
  return {comm,
          by_ids ? wherry::resolve_layers(comm, mesh.by_layer[0], mesh.externals())
                 : wherry::resolve_layers(comm, mesh.ghosts),
          options};
}

/// Fields of all kinds on one mesh, and the sets of them that travel together.
class many_fields {
 public:
  many_fields(const layered_mesh& mesh, ghost_layers& layers)
      : layers_(layers),
        floats_(mesh.size()),
        together_(3 * mesh.size()),
        apart_(2 * mesh.size()),
        a_(mesh, layers, std::vector<double>(mesh.size()), 1, 0),
        b_(mesh, layers, std::vector<double>(mesh.size()), 1, 1),
        f_(mesh, layers, std::span<float>(floats_), 1, 2),
        c_(mesh, layers, std::vector<std::int8_t>(mesh.size()), 1, 3),
        w_(mesh, layers, std::vector<wide_element>(mesh.size()), 1, 4),
        t_(mesh, layers, wherry::view<int, 2>(together_.data(), {3, std::ssize(mesh.ids)}), 3, 5),
        s_(mesh, layers, wherry::view<int, 2>(apart_.data(), {2, std::ssize(mesh.ids)}, wherry::c_layout<2>()), 2, 6) {}

  /// Calls `act` with the trials of a set.
  template <class Act> void with(int set, Act&& act) {
    switch (set) {
      case 0:
        return act(a_);
      case 1:
        return act(b_, f_);
      case 2:
        return act(a_, b_, f_, c_, w_, t_, s_);
      case 3:
        return act(s_, a_);
      case 4:
        return act(w_, t_, c_);
      default:
        return act(t_);
    }
  }
  static constexpr int sets = 6, all = 2;

  void step(random_numbers& random, int depth, const std::string& title) {
    const int set = random.between(0, sets - 1), to = random.between(1, depth);
    switch (random.between(0, 9)) {
      case 0:
        return with(set, [&](auto&... one) { (one.write(0), ...); });
      case 1:
        return with(set, [&](auto&... one) { (one.write(to), ...); });
      case 2:
        return with(set, [&](auto&... one) { (one.poison(one.clean()), ...); });
      case 3:
        return std::swap(a_, b_);
      case 4:
        if (random.chance(50)) a_ = b_;
        return;
      case 5:  // without the accounts
        layers_.exchange(to, a_.field.values(), t_.field.values());
        a_.filled(1, to);
        return t_.filled(1, to);
      case 6: {
        auto moved = std::move(layers_);
        layers_ = random.chance(50) ? ghost_layers(moved) : std::move(moved);
        return;
      }
      case 7:
        return with(set, [&](auto&... one) {
          layers_.exchange(to, one.field...);
          (one.exchanged(to), ...);
        });
      default:
        return if_needed(random, set, to, title);
    }
  }
  void check(const std::string& title) {
    with(all, [&](auto&... one) { (one.check(title), ...); });
  }

 private:
  void if_needed(random_numbers& random, int set, int to, const std::string& title) {
    const int way = random.between(0, 2);
    with(set, [&](auto&... one) {
      if (way == 0) layers_.exchange_if_needed(to, one.field...);
      if (way != 0) layers_.start_if_needed(to, one.field...);
      if (way == 1) layers_.wait();
      while (way == 2 && !layers_.test()) continue;
      (one.exchanged_if_needed(to), ...);
      if (way == 2 && fault(!layers_.test())) FAIL(title + ": in flight after the end");
    });
  }

  ghost_layers& layers_;
  std::vector<float> floats_;
  std::vector<int> together_, apart_;
  layered_trial<std::vector<double>> a_, b_;
  layered_trial<std::span<float>> f_;
  layered_trial<std::vector<std::int8_t>> c_;
  layered_trial<std::vector<wide_element>> w_;
  layered_trial<wherry::view<int, 2>> t_, s_;
};

int peers(const std::vector<wherry::peer_indices>& lists, int self) {
  int count = 0;
  for (const auto& list : lists) count += list.peer != self ? 1 : 0;
  return count;
}

}  // namespace

WHERRY_TEST(random_layers, ranks(1, 2, 3, 4, 8).simulated_in(4)) {
  const node_communicators nodes(test.comm);
  for_each_case(test, 60, [&](random_case& now) {
    auto& random = now.random;
    const MPI_Comm users = nodes.pick(random);
    const wherry::communicator comm(users);
    const int depth = random.between(1, 4);
    const layered_mesh mesh(random, test.rank, test.size, depth, random.between(1, 80));
    auto layers =
        layers_of(comm, mesh, random.chance(50), {.carry = {.transport = random.one_of(usable_transports(users))}});
    CHECK_EQUAL(layers.depth(), depth);
    many_fields fields(mesh, layers);
    for (int step = 0; step < 25; ++step) {
      fields.step(random, depth, now.title);
      fields.check(now.title + ", step " + std::to_string(step));
    }
  });
}

// The same where all ranks agree first, and owned values are compared.
WHERRY_TEST(random_layers_are_checked, ranks(1, 3, 4).not_simulated("its ranks share one environment")) {
  const setting checked("check", "1", "0");
  for_each_case(test, 20, [&](random_case& now) {
    auto& random = now.random;
    const wherry::communicator comm(test.comm);
    const int depth = random.between(1, 3);
    const layered_mesh mesh(random, test.rank, test.size, depth, random.between(1, 60));
    auto layers = layers_of(comm, mesh, random.chance(50));
    many_fields fields(mesh, layers);
    for (int step = 0; step < 12; ++step) {
      fields.step(random, depth, now.title);
      fields.check(now.title + ", step " + std::to_string(step));
    }
  });
}

WHERRY_TEST(ids_and_owners_resolve_alike, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  random_numbers random(test.seed);
  for (int round = 0; round < 5; ++round) {
    const layered_mesh mesh(random, test.rank, test.size, 3, 60);
    const auto by_ids = wherry::resolve_layers(comm, mesh.by_layer[0], mesh.externals());
    CHECK(by_ids == wherry::resolve_layers(comm, mesh.ghosts));
    CHECK(by_ids ==
          wherry::resolve_layers(comm, mesh.by_layer[0], {mesh.by_layer[1], mesh.by_layer[2], mesh.by_layer[3]}));
    const ghost_layers layers(comm, by_ids);
    for (int d = 1; d <= 3; ++d) {
      CHECK(layers.lists(d) == by_ids[static_cast<std::size_t>(d - 1)]);
      std::size_t ghosts = 0;
      for (const auto& list : layers.lists(d).receives) ghosts += list.at.size();
      CHECK_EQUAL(ghosts, mesh.by_layer[static_cast<std::size_t>(d)].size());
    }
  }
}

// All fields and layers travel in one message for each peer; layers that are clean do not travel.
WHERRY_TEST(only_missing_layers_move, ranks(1, 2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  random_numbers random(test.seed);
  const layered_mesh mesh(random, test.rank, test.size, 3, 90);
  auto layers = layers_of(comm, mesh, true);
  const auto elements_in = [&](int layer) {
    std::int64_t count = 0;
    for (const auto& list : layers.lists(layer).receives)
      if (list.peer != test.rank) count += std::ssize(list.at);
    return count;
  };
  layered_field u(layers, std::vector<double>(mesh.size()));
  layered_field v(layers, std::vector<float>(mesh.size()));
  std::int64_t expected = 0;
  const auto moves = [&](std::int64_t bytes, const char* what) {
    test.note(what);
    expected += bytes;
    CHECK_EQUAL(layers.statistics().bytes_received, expected);
  };
  layers.exchange(1, u);
  moves(8 * elements_in(1), "the first layer of u");
  layers.exchange_if_needed(1, u);
  moves(0, "nothing");
  layers.exchange_if_needed(3, u, v);
  moves(8 * (elements_in(2) + elements_in(3)) + 4 * (elements_in(1) + elements_in(2) + elements_in(3)),
        "two layers of u, three of v");
  const auto exchanges = layers.statistics().exchanges;
  layers.exchange_if_needed(3, v, u);
  layers.exchange_if_needed(2, u);
  moves(0, "nothing again");
  CHECK_EQUAL(layers.statistics().exchanges, exchanges);
  v.mark_written(2);
  layers.exchange_if_needed(2, u, v);
  moves(0, "what was computed here");
  layers.exchange_if_needed(3, u, v);
  moves(4 * elements_in(3), "the third layer of v");
  CHECK_EQUAL(u.clean_depth(), 3);
  CHECK_EQUAL(v.clean_depth(), 3);

  ghost_layers whole(layers);
  whole.exchange(3, u, v, u.values());
  std::map<int, int> senders;
  for (int d = 1; d <= 3; ++d)
    for (const auto& list : whole.lists(d).receives)
      if (list.peer != test.rank) senders[list.peer] = 1;
  const auto said = whole.explain();
  int messages = 0;
  for (auto at = said.find("stage 0 from rank "); at != std::string::npos; at = said.find("stage 0 from rank ", at + 1))
    ++messages;
  CHECK_EQUAL(messages, senders.size());
  CHECK(said.find("ghost layers: 3 layers") != std::string::npos);
  CHECK(peers(whole.lists(1).receives, test.rank) <= messages);
}

// A field that is written while it travels is not clean afterwards; a copy has an exchange of its own in flight.
WHERRY_TEST(written_in_flight, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  random_numbers random(test.seed);
  const layered_mesh mesh(random, test.rank, test.size, 2, 40);
  auto layers = layers_of(comm, mesh, true, {.carry = {.snapshot = true, .name = "mesh"}});
  auto others = layers;
  std::vector<int> values(mesh.size());
  layered_field u(layers, values, "u");
  layered_field v(layers, std::vector<int>(mesh.size(), 1));
  for (std::size_t i = 0; i < mesh.elements(0); ++i) values[i] = static_cast<int>(mesh.ids[i]);
  layers.start(2, u);
  others.start(1, v, u);
  for (std::size_t i = 0; i < mesh.elements(0); ++i) values[i] = 0;
  u.mark_written();
  const auto moved = std::move(u);  // in flight
  others.wait();
  layers.wait();
  CHECK_EQUAL(moved.clean_depth(), 0);
  CHECK_EQUAL(v.clean_depth(), 1);
  CHECK_EQUAL(moved.name(), "u");
  for (std::size_t i = mesh.elements(0); i < mesh.size(); ++i) CHECK_EQUAL(values[i], mesh.ids[i]);
}

// What ghosts have comes to their owners: with ones everywhere, each element counts its copies.
WHERRY_TEST(ghosts_reduce_to_owners, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  random_numbers random(test.seed);
  for (int round = 0; round < 4; ++round) {
    const layered_mesh mesh(random, test.rank, test.size, 3, 50);
    auto layers = layers_of(comm, mesh, round % 2 == 0);
    auto highest = ghost_layers(comm, wherry::resolve_layers(comm, mesh.ghosts), {.update = wherry::maximum{}});
    for (int depth = 1; depth <= 3; ++depth) {
      std::map<index_t, int> copies;  // of each row
      for (int d = 1; d <= depth; ++d)
        for (const auto& list : layers.lists(d).sends)
          for (const auto at : list.at) ++copies[at];
      layered_field ones(layers, std::vector<double>(mesh.size(), 1));
      std::vector<int> twos(mesh.size(), 2), least(mesh.size(), -test.rank);
      layers.exchange(depth, ones);
      CHECK_EQUAL(ones.clean_depth(), depth);
      layers.reduce_to_owners(depth, ones, twos);
      CHECK_EQUAL(ones.clean_depth(), 0);
      highest.reduce_to_owners(depth, least);
      for (std::size_t i = 0; i < mesh.size(); ++i) {
        const int found = i < mesh.elements(0) ? copies[static_cast<index_t>(i)] : 0;
        CHECK_EQUAL(ones.values()[i], 1 + found);
        CHECK_EQUAL(twos[i], 2 + 2 * found);
        CHECK(least[i] >= -test.rank);
      }
    }
  }
}

// An array may be as short as the depths to which it is exchanged allow.
WHERRY_TEST(short_arrays, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  random_numbers random(test.seed);
  const layered_mesh mesh(random, test.rank, test.size, 3, 40);
  auto layers = layers_of(comm, mesh, true);
  CHECK(layers.elements(1) <= std::ssize(mesh.ids));
  std::vector<long long> near(mesh.elements(1)), far(mesh.size());
  for (std::size_t i = 0; i < mesh.elements(0); ++i) near[i] = far[i] = mesh.ids[i];
  layered_field u(layers, near);
  layers.exchange(1, u, far);
  for (std::size_t i = 0; i < near.size(); ++i) CHECK_EQUAL(near[i], mesh.ids[i]);
  for (std::size_t i = 0; i < near.size(); ++i) CHECK_EQUAL(far[i], mesh.ids[i]);
}

// Ranks with one element and with none pass arrays whose components are apart.
WHERRY_TEST(components_of_few_elements, ranks(2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const std::vector<long long> rows(static_cast<std::size_t>(test.rank == 0 ? 3 : 0), 0);
  std::vector<long long> mine, near;
  if (test.rank == 0) mine = {0, 1, 2};
  if (test.rank == 1) near = {1};
  ghost_layers layers(comm, wherry::resolve_layers(comm, mine, {near}));
  const auto count = static_cast<index_t>(mine.size() + near.size());
  for (const auto& layout : {wherry::c_layout<2>(), wherry::fortran_layout<2>()}) {
    std::vector<int> values{10, 11, 12, 20, 21, 22};
    if (test.rank != 0) values.assign(2, -1);
    const wherry::view<int, 2> two(values.data(), {2, count}, layout);
    for (index_t i = 0; i < count && test.rank == 0; ++i)
      for (index_t c = 0; c < 2; ++c) two(c, i) = static_cast<int>(10 * c + i);
    layers.exchange(1, two);
    if (test.rank == 1) CHECK(two(0, 0) == 1 && two(1, 0) == 11);
    CHECK_EQUAL(values.size(), test.rank == 0 ? 6 : 2);
  }
}
