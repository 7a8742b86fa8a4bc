// Tools that the tests of blocks by the C interface share: handles that free themselves, visits of cells, random plans.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace wherry_test {

/// A handle that is freed at the end of its block.
template <class Handle, wherry_status (*Free)(Handle*)> class owned_handle {
 public:
  owned_handle() = default;
  owned_handle(const owned_handle&) = delete;
  owned_handle& operator=(const owned_handle&) = delete;
  ~owned_handle() { Free(&handle_); }
  /// Where a call puts a new handle.
  Handle* out() {
    Free(&handle_);
    return &handle_;
  }
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};
using held_comm = owned_handle<wherry_communicator, wherry_communicator_free>;
using held_plan = owned_handle<wherry_floor_plan, wherry_floor_plan_free>;
using held_array = owned_handle<wherry_x_array, wherry_x_array_free>;
using held_motions = owned_handle<wherry_motion_plan, wherry_motion_plan_free>;
using held_exchange = owned_handle<wherry_exchange, wherry_exchange_free>;
using held_levels = owned_handle<wherry_level_coupling, wherry_level_coupling_free>;

using coordinates = std::vector<std::int64_t>;

inline int draw(std::mt19937_64& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// Calls `visit(point)` for all points of a box.
template <class Visit> void for_points(const wherry_box& cells, Visit&& visit) {
  coordinates p(static_cast<std::size_t>(cells.dimensions));
  for (int more = wherry_first_point(&cells, p.data()); more != 0; more = wherry_next_point(&cells, p.data()))
    visit(static_cast<const coordinates&>(p));
}

inline bool is_inside(const wherry_box& cells, const coordinates& p) {
  for (std::size_t d = 0; d < p.size(); ++d)
    if (p[d] < cells.lower[d] || p[d] >= cells.upper[d]) return false;
  return true;
}

/// A number for each cell, which is small enough for floats.
inline double number_of(const coordinates& p, int component = 0) {
  double number = 1 + component;
  for (const auto x : p) number = number * 19 + static_cast<double>(x + 5);
  return number - 16777216.0 * static_cast<double>(static_cast<std::int64_t>(number / 16777216.0));
}

inline std::vector<wherry_block> blocks_of(wherry_x_array array) {
  int count = 0;
  succeeds(wherry_x_array_shape(array, nullptr, &count, nullptr, nullptr));
  std::vector<wherry_block> result(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) succeeds(wherry_x_array_block(array, i, &result[static_cast<std::size_t>(i)]));
  return result;
}

/// Calls `visit(value, point, block, component)` for the values of all grids of this rank, ghost values included.
template <class T, class Visit> void for_values(wherry_x_array array, Visit&& visit) {
  for (const auto& block : blocks_of(array))
    for (int c = 0; c < block.components; ++c)
      for_points(block.whole, [&](const coordinates& p) {
        visit(*static_cast<T*>(wherry_block_at(&block, p.data(), c)), p, block, c);
      });
}

constexpr double untouched = -1;

/// Gives each core value its number, and all others `untouched`.
template <class T = double> void fill_cores(wherry_x_array array) {
  for_values<T>(array, [](T& value, const coordinates& p, const wherry_block& block, int c) {
    value = static_cast<T>(is_inside(block.core, p) ? number_of(p, c) : untouched);
  });
}

/// A random box near the origin. `most` is the largest extent.
inline wherry_box random_box(std::mt19937_64& random, int dimensions, int least, int most) {
  wherry_box result{};
  result.dimensions = dimensions;
  for (int d = 0; d < dimensions; ++d) {
    result.lower[d] = draw(random, -3, 3);
    result.upper[d] = result.lower[d] + draw(random, least, most);
  }
  return result;
}

/// Boxes that fill a box, with owners, and perhaps some holes.
struct tiling {
  wherry_box whole{};
  std::vector<wherry_box> boxes;
  std::vector<int> owners;

  int dimensions() const { return whole.dimensions; }
  bool has(const coordinates& p) const {
    for (const auto& one : boxes)
      if (is_inside(one, p)) return true;
    return false;
  }
  void make(wherry_floor_plan* plan) const {
    succeeds(wherry_floor_plan_create(dimensions(), static_cast<int>(boxes.size()), boxes.data(), owners.data(), plan));
  }
};
inline tiling random_tiling(std::mt19937_64& random, const wherry_box& whole, int ranks, int cuts) {
  tiling result{whole, {whole}, {}};
  for (int i = 0; i < cuts; ++i) {  // a random box is cut in two
    const auto which = static_cast<std::size_t>(draw(random, 0, static_cast<int>(result.boxes.size()) - 1));
    const int d = draw(random, 0, whole.dimensions - 1);
    auto& one = result.boxes[which];
    if (one.upper[d] - one.lower[d] < 2) continue;
    auto other = one;
    other.lower[d] = one.upper[d] =
        draw(random, static_cast<int>(one.lower[d]) + 1, static_cast<int>(one.upper[d]) - 1);
    result.boxes.push_back(other);
  }
  if (draw(random, 0, 2) == 0) result.boxes.erase(result.boxes.begin());  // a hole
  for (std::size_t i = 0; i < result.boxes.size(); ++i) result.owners.push_back(draw(random, 0, ranks - 1));
  return result;
}

/// A domain around `cells`, periodic in some dimensions.
inline wherry_domain random_domain(std::mt19937_64& random, const wherry_box& cells) {
  wherry_domain result = wherry_open_domain(cells);
  for (int d = 0; d < cells.dimensions; ++d) result.periodic[d] = draw(random, 0, 1);
  return result;
}

/// The cell of the domain of which `p` is an image.
inline coordinates wrapped(const wherry_domain& space, coordinates p) {
  for (std::size_t d = 0; d < p.size(); ++d) {
    const auto length = space.cells.upper[d] - space.cells.lower[d];
    while (space.periodic[d] != 0 && p[d] < space.cells.lower[d]) p[d] += length;
    while (space.periodic[d] != 0 && p[d] >= space.cells.upper[d]) p[d] -= length;
  }
  return p;
}

/// The options of an x-array with random layout, ghost widths and components.
inline wherry_x_array_options random_options(std::mt19937_64& random, int dimensions, int most_width) {
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  for (int d = 0; d < dimensions; ++d) {
    options.ghost_width.minus[d] = draw(random, 0, most_width);
    options.ghost_width.plus[d] = draw(random, 0, most_width);
  }
  options.layout = draw(random, 0, 2);
  for (int d = 0; d < dimensions; ++d) options.places[d] = (d + 1) % dimensions;
  options.components = draw(random, 0, 2);
  options.dense_rows = draw(random, 0, 1);
  return options;
}

/// After ghost cells were filled: the values of all cells that some box has, or has an image of.
template <class T = double>
void check_filled(wherry_x_array array, const tiling& boxes, const wherry_domain& space, bool faces,
                  const std::string& title) {
  int wrong = 0;
  for_values<T>(array, [&](const T& value, const coordinates& p, const wherry_block& block, int c) {
    int beyond = 0;
    for (std::size_t d = 0; d < p.size(); ++d)
      beyond += p[d] < block.core.lower[d] || p[d] >= block.core.upper[d] ? 1 : 0;
    const auto home = wrapped(space, p);
    const bool has = boxes.has(home) && !(faces && beyond > 1);
    if (value != static_cast<T>(has ? number_of(home, c) : untouched)) ++wrong;
  });
  if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong");
}

/// After a redistribution: the core values of cells that some box of `from` has.
template <class T = double> void check_moved(wherry_x_array array, const tiling& from, const std::string& title) {
  int wrong = 0;
  for_values<T>(array, [&](const T& value, const coordinates& p, const wherry_block& block, int c) {
    const bool has = is_inside(block.core, p) && from.has(p);
    if (value != static_cast<T>(has ? number_of(p, c) : untouched)) ++wrong;
  });
  if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong");
}
template <class T = double> void clear(wherry_x_array array) {
  for_values<T>(array,
                [](T& value, const coordinates&, const wherry_block&, int) { value = static_cast<T>(untouched); });
}

}  // namespace wherry_test
