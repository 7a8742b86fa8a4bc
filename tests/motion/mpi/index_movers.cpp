// Finite elements on movers: the halo of a mesh, and assembly by the sum of shared nodes.
#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"
#include "wherry/motion/index_resolve.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::index_array;
using wherry::index_set;
using wherry::index_t;

namespace {

// The unit square in triangles, cut into irregular parts. Nodes are numbered at random, so that sets have many runs.
struct mesh {
  int n;  // nodes along an edge
  std::vector<std::array<index_t, 3>> triangles;
  std::vector<int> part;  // of each triangle
  int parts;

  mesh(int nodes_along, int wanted_parts, bool scattered, random_numbers& random)
      : n(nodes_along), parts(wanted_parts) {
    std::vector<index_t> name(static_cast<std::size_t>(n * n));
    for (std::size_t i = 0; i < name.size(); ++i) name[i] = static_cast<index_t>(i);
    if (scattered) random.shuffle(name);
    std::vector<std::array<int, 2>> seeds;
    for (int p = 0; p < parts; ++p) seeds.push_back({random.between(0, 3 * n), random.between(0, 3 * n)});
    const auto nearest = [&](int x, int y) {
      int best = 0, least = 1 << 30;
      for (int p = 0; p < parts; ++p) {
        const auto [sx, sy] = seeds[static_cast<std::size_t>(p)];
        const int distance = (3 * x - sx) * (3 * x - sx) + (3 * y - sy) * (3 * y - sy);
        if (distance < least) least = distance, best = p;
      }
      return best;
    };
    for (int y = 0; y + 1 < n; ++y)
      for (int x = 0; x + 1 < n; ++x) {
        const auto at = [&](int dx, int dy) { return name[static_cast<std::size_t>((y + dy) * n + x + dx)]; };
        // The right angle comes first.
        triangles.push_back({at(0, 0), at(1, 0), at(0, 1)});
        triangles.push_back({at(1, 1), at(0, 1), at(1, 0)});
        part.push_back(nearest(x, y));
        part.push_back(random.chance(10) ? random.between(0, parts - 1) : nearest(x, y));
      }
  }

  index_t nodes() const { return n * n; }

  // The nodes of each part's elements; several parts a rank, in no order.
  wherry::index_floor_plan<> touched(int ranks) const {
    std::vector<std::vector<index_t>> of_part(static_cast<std::size_t>(parts));
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      auto& mine = of_part[static_cast<std::size_t>(part[t])];
      mine.insert(mine.end(), triangles[t].begin(), triangles[t].end());
    }
    wherry::index_floor_plan<> result;
    for (int p = 0; p < parts; ++p) result.add(index_set(of_part[static_cast<std::size_t>(p)]), p * 5 % ranks);
    return result;
  }

  // Twice the product of a triangle's stiffness matrix (of linear elements for -Δ) with x: integers stay integers.
  static std::array<double, 3> stiffness(const std::array<double, 3>& x) {
    return {2 * x[0] - x[1] - x[2], x[1] - x[0], x[2] - x[0]};
  }

  std::vector<double> serial_product(const std::vector<double>& x) const {
    std::vector<double> y(x.size(), 0.0);
    for (const auto& t : triangles) {
      std::array<double, 3> corner{};
      for (std::size_t i = 0; i < 3; ++i) corner[i] = x[static_cast<std::size_t>(t[i])];
      const auto product = stiffness(corner);
      for (std::size_t i = 0; i < 3; ++i) y[static_cast<std::size_t>(t[i])] += product[i];
    }
    return y;
  }
};

// The motions of one rank, and the parts it has to do with.
struct part_motions {
  wherry::index_floor_plan<> touched, owned;
  wherry::index_motion_plan<> halo;
};

// From a list of all parts on all ranks.
part_motions replicated(const mesh& square, int rank, int ranks) {
  const auto touched = square.touched(ranks);
  const auto owned = without_overlap(touched);
  return {touched, owned, halo_motion(owned, touched).plan(rank)};
}

// Each rank brings its own parts; they are numbered anew.
part_motions resolved(const mesh& square, const wherry::communicator& comm) {
  const auto whole = square.touched(comm.size());
  std::vector<index_set> mine;
  for (const int number : whole.owned_by(comm.rank())) mine.push_back(whole[number]);
  const auto touched = resolve(comm, distributed_floor_plan(comm, mine));
  const auto known = resolve(comm, without_overlap(touched, comm.rank()), touched);
  return {known.to, known.from, halo_motion(known.from, known.to).plan(comm.rank())};
}

// Adds what the elements of this rank's parts contribute to y = K x, twice.
void add_elements(const mesh& square, const wherry::communicator& comm, index_array<double>& x,
                  index_array<double>& y) {
  // The mesh's parts of this rank, in the order of the array's.
  const auto numbers = square.touched(comm.size()).owned_by(comm.rank());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto& [number, nodes, values] = y.parts()[k];
    for (std::size_t t = 0; t < square.triangles.size(); ++t) {
      if (square.part[t] != numbers[k]) continue;
      std::array<index_t, 3> place{};
      std::array<double, 3> corner{};
      for (std::size_t i = 0; i < 3; ++i) {
        place[i] = nodes.place_of(square.triangles[t][i]);
        corner[i] = x[number](place[i]);
      }
      const auto product = mesh::stiffness(corner);
      for (std::size_t i = 0; i < 3; ++i) values(place[i]) += product[i];
    }
  }
}

double value_of(index_t node, int round) { return static_cast<double>(hash(node, round) % 2001) - 1000; }

// The values of x at the owners of its nodes; nonsense elsewhere.
void set_owned(index_array<double>& x, const wherry::index_floor_plan<>& owned, const std::vector<double>& whole) {
  for (const auto& [number, nodes, values] : x.parts()) {
    std::ranges::fill(values.all(), -1e9);
    for (const index_t node : owned[number]) values(nodes.place_of(node)) = whole[static_cast<std::size_t>(node)];
  }
}

void clear(index_array<double>& y) {
  for (const auto& [number, nodes, values] : y.parts()) std::ranges::fill(values.all(), 0.0);
}

mesh random_mesh(random_numbers& random, int ranks) {
  const int n = random.between(2, 14), parts = ranks * random.between(1, 4);
  return {n, parts, random.chance(50), random};
}

}  // namespace

WHERRY_TEST(finite_element_product, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto transports = usable_transports(test.comm);
  for_each_case(test, 60, [&](random_case& now) {
    const auto square = random_mesh(now.random, comm.size());
    const auto [touched, owned, halo] =
        now.random.chance(50) ? resolved(square, comm) : replicated(square, comm.rank(), comm.size());
    index_array<double> x(comm, touched), y(comm, touched);
    const auto& transport = now.random.one_of(transports);
    wherry::mover update(halo, x, x, {.carry = {.transport = transport}});
    wherry::mover assemble(halo.reversed(), y, y, {.update = std::plus<>{}, .carry = {.transport = transport}});
    for (int round = 0; round < 3; ++round) {
      std::vector<double> whole;
      for (index_t i = 0; i < square.nodes(); ++i) whole.push_back(value_of(i, round));
      set_owned(x, owned, whole);
      update();
      for (const auto& [number, nodes, values] : x.parts())
        for (index_t i = 0; i < nodes.size(); ++i) CHECK_EQUAL(values(i), value_of(nodes[i], round));
      clear(y);
      add_elements(square, comm, x, y);
      assemble();
      const auto expected = square.serial_product(whole);
      for (const auto& [number, nodes, values] : y.parts())
        for (const index_t node : owned[number])
          if (fault(values(nodes.place_of(node)) != expected[static_cast<std::size_t>(node)]))
            FAIL(now.title + ", " + transport + ": node " + std::to_string(node) + " of part " +
                 std::to_string(number));
    }
  });
}

// Sums of fractions depend on their order, which must not depend on who carries them.
WHERRY_TEST(all_transports_sum_alike, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 20, [&](random_case& now) {
    const auto square = random_mesh(now.random, test.size);
    const MPI_Comm users = comms.pick(now.random);
    const wherry::communicator comm(users);
    const auto [touched, owned, halo] = replicated(square, comm.rank(), comm.size());
    index_array<double> y(comm, touched, {.components = 2});
    std::vector<std::vector<double>> first;
    for (const auto& name : usable_transports(users)) {
      for (const auto& [number, nodes, values] : y.parts())
        for (index_t i = 0; i < nodes.size(); ++i)
          for (int c = 0; c < 2; ++c) values(i, c) = 1.0 / (1.0 + static_cast<double>(hash(number, nodes[i], c) % 997));
      wherry::mover assemble(halo.reversed(), y, y, {.update = std::plus<>{}, .carry = {.transport = name}});
      wherry::mover spread(halo, y, y, {.carry = {.transport = name}});
      assemble();
      spread();
      std::vector<std::vector<double>> now_there;
      for (const auto& part : y.parts()) now_there.emplace_back(part.values.all().begin(), part.values.all().end());
      if (first.empty()) first = now_there;
      if (fault(now_there != first)) FAIL(now.title + ", " + name + ": other bits than the first transport");
    }
  });
}
