// Arrays of particles, and a space in which they move, for tests of the C interface.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace wherry_test {

/// Arrays that grow by `realloc`, and are freed at the end.
struct arrays {
  std::vector<wherry_particle_array> list;

  explicit arrays(std::initializer_list<std::pair<wherry_type, int>> types) {
    for (const auto& [type, components] : types) list.push_back(wherry_growing_array(type, components));
  }
  arrays(const arrays&) = delete;
  arrays& operator=(const arrays&) = delete;
  ~arrays() {
    for (auto& one : list) std::free(one.data);
  }

  int size() const { return static_cast<int>(list.size()); }
  wherry_particle_array* data() { return list.data(); }
  template <class T> T* of(std::size_t array) { return static_cast<T*>(list[array].data); }
  /// Makes all arrays of this length.
  void resize(std::int64_t count) {
    for (auto& one : list) {
      const auto bytes = static_cast<std::size_t>(count) * (one.type & 0xffffffU) *
                         static_cast<std::size_t>(std::max(one.components, 1));
      one.data = wherry_reallocate(one.data, bytes, nullptr);
      one.count = one.capacity = count;
    }
  }
};

/// A box of space over a grid of ranks.
struct world {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_particle_exchange exchange = nullptr;
  int dimensions;
  std::vector<int> periodic;
  std::vector<std::int64_t> cells;
  std::vector<double> lengths;

  world(const context& test, std::mt19937_64& random, int of, wherry_particle_order order, bool everywhere = false)
      : dimensions(of) {
    const auto pick = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
    wherry_particle_space space{};
    space.dimensions = dimensions;
    for (int d = 0; d < dimensions; ++d) {
      periodic.push_back(everywhere ? 1 : pick(0, 1));
      cells.push_back(pick(1, 4) * test.size);
      lengths.push_back(pick(1, 8));
      space.lower[d] = 0;
      space.upper[d] = lengths.back();
    }
    succeeds(wherry_communicator_create(test.comm, &comm));
    wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
    shape.periodic = periodic.data();
    succeeds(wherry_process_grid_create(comm, dimensions, &shape, &grid));
    wherry_particle_options options = WHERRY_INIT(wherry_particle_options);
    options.order = order;
    succeeds(wherry_particle_exchange_create(grid, cells.data(), &space, &options, &exchange));
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;
  ~world() {
    wherry_particle_exchange_free(&exchange);
    wherry_process_grid_free(&grid);
    wherry_communicator_free(&comm);
  }

  /// The rank that owns a position inside the space, by the grid.
  int owner_of(const std::vector<double>& x) const {
    std::vector<std::int64_t> cell;
    for (std::size_t d = 0; d < x.size(); ++d)
      cell.push_back(static_cast<std::int64_t>(std::floor(x[d] / lengths[d] * static_cast<double>(cells[d]))));
    int rank = -1;
    succeeds(wherry_owner_of(grid, dimensions, cell.data(), cells.data(), &rank));
    return rank;
  }
  /// The positions of `count` particles with the same numbers on all ranks. They lie in the middle of fine cells.
  std::vector<std::vector<double>> positions(std::mt19937_64& random, int count) const {
    std::vector<std::vector<double>> result;
    for (int i = 0; i < count; ++i) {
      auto& x = result.emplace_back();
      for (int d = 0; d < dimensions; ++d) {
        const auto fine = 64 * cells[static_cast<std::size_t>(d)];
        const auto k = std::uniform_int_distribution<std::int64_t>(0, fine - 1)(random);
        x.push_back((static_cast<double>(k) + 0.5) / static_cast<double>(fine) * lengths[static_cast<std::size_t>(d)]);
      }
    }
    return result;
  }
};

}  // namespace wherry_test
