// Movers over index domains: finite-element assembly, random sets against an oracle, domains of the user's own, errors.
#include <array>
#include <map>
#include <set>
#include <vector>

#include "wherry/blocks/index_motions.hpp"
#include "wherry/blocks/index_mover.hpp"

#include "mpi/case_runner.hpp"

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

double value_of(index_t node, int round) { return static_cast<double>(hash(node, round) % 2001) - 1000; }

}  // namespace

WHERRY_TEST(finite_element_product, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  for_each_case(test, 12, [&](random_case& now) {
    const mesh square(now.random.between(2, 14), comm.size() * now.random.between(1, 4), now.random.chance(50),
                      now.random);
    const auto touched = square.touched(comm.size());
    const auto owned = wherry::without_overlap(touched);
    const auto halo = wherry::halo_motion(owned, touched, now.random.chance(50) ? comm.rank() : wherry::every_rank);
    const index_array<double> x(comm, touched), y(comm, touched);
    const auto transport = now.random.one_of(usable_transports(test.comm));
    wherry::mover update(halo, x, x, {.transport = transport});
    wherry::mover assemble(halo.reversed(), y, y, {.transport = transport, .update = wherry::add<double>()});

    for (int round = 0; round < 3; ++round) {
      std::vector<double> whole;
      for (index_t i = 0; i < square.nodes(); ++i) whole.push_back(value_of(i, round));
      for (const auto& [number, nodes, values] : x.parts()) {
        std::ranges::fill(values.all(), -1e9);
        for (const index_t node : owned[number]) values(nodes.place_of(node)) = value_of(node, round);
      }
      update();
      for (const auto& [number, nodes, values] : x.parts())
        for (index_t i = 0; i < nodes.size(); ++i) CHECK_EQUAL(values(i), value_of(nodes[i], round));
      for (const auto& [number, nodes, values] : y.parts()) {
        std::ranges::fill(values.all(), 0.0);
        for (std::size_t t = 0; t < square.triangles.size(); ++t) {
          if (square.part[t] != number) continue;
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
      assemble();
      const auto expected = square.serial_product(whole);
      for (const auto& [number, nodes, values] : y.parts())
        for (const index_t node : owned[number])
          if (values(nodes.place_of(node)) != expected[static_cast<std::size_t>(node)])
            FAIL(now.title + ", node " + std::to_string(node) + " of part " + std::to_string(number));
    }
  });
}
