#include "level.hpp"

#include <vector>

#include "problem.hpp"

namespace nas_mg {
namespace {

wherry::point<3> extents(const wherry::box<3>& b) { return {b.extent(0), b.extent(1), b.extent(2)}; }

wherry::halo_exchange fill(const wherry::communicator& comm, const cut& cells, const array& values,
                           const std::string& transport) {
  std::vector<std::vector<wherry::halo_field>> fields;
  if (cells.brick_of(comm.rank()) != wherry::box<3>{}) fields.push_back({describe(values)});
  return {comm, cells.decomposition(), {.transport = transport}, std::move(fields)};
}

/// `global` in the indices of a field whose first core cell is `first`.
wherry::box<3> local(const wherry::box<3>& global, const wherry::point<3>& first) {
  return shift<3>(global, {-first[0], -first[1], -first[2]});
}

}  // namespace

brick brick_of(const array& cells) {
  const auto core = cells.core();
  return {cells.origin(), cells.strides()[1], cells.strides()[2], core.extent(0), core.extent(1), core.extent(2)};
}

level::level(const wherry::communicator& comm, const cut& how, const std::string& transport)
    : cells(how),
      mine(how.brick_of(comm.rank())),
      u(comm, extents(mine), 1, {.name = "u"}),
      r(comm, extents(mine), 1, {.name = "r"}),
      fill_u(fill(comm, cells, u, transport)),
      fill_r(fill(comm, cells, r, transport)) {}

staircase::staircase(const wherry::communicator& comm, level& fine, level& coarse, const std::string& transport)
    : fine_(&fine), coarse_(&coarse) {
  const auto& first = fine.mine.lower;
  where_ = {static_cast<int>(first[0] % 2), static_cast<int>(first[1] % 2), static_cast<int>(first[2] % 2)};
  const cut by_fine = coarsened(fine.cells);
  if (by_fine != coarse.cells) landing_ = std::make_unique<landing>(comm, coarse, by_fine, transport);
}

staircase::landing::landing(const wherry::communicator& comm, const level& coarse, const cut& by_fine,
                            const std::string& transport)
    : values(comm, extents(by_fine.brick_of(comm.rank())), 1, {.name = "landing"}),
      down(comm, {.transport = transport}),
      up(comm, {.transport = transport}) {
  const int rank = comm.rank();
  const auto my_landing = by_fine.brick_of(rank);
  const long n = by_fine.bounds[0].back();
  const wherry::box<3> images{{-1, -1, -1}, {2, 2, 2}};  // -1, 0 and 1 along each axis

  // Each of my values goes to the owner of its cell.
  for (int b = 0; b < coarse.cells.bricks(); ++b)
    if (const auto part = intersection(my_landing, coarse.cells.brick(b)); !part.empty())
      down.send(coarse.cells.owners[static_cast<std::size_t>(b)], section(values, local(part, my_landing.lower)));
  for (int b = 0; b < by_fine.bricks(); ++b)
    if (const auto part = intersection(coarse.mine, by_fine.brick(b)); !part.empty())
      down.receive(by_fine.owners[static_cast<std::size_t>(b)], section(coarse.r, local(part, coarse.mine.lower)));
  down.setup();

  // Back come the cells that I need, halo included, from wherever around the periodic edge. Both sides go through the
  // images in the same order.
  const auto needed = [](const wherry::box<3>& core) { return wherry::grow<3>(core, {1, 1, 1}, {1, 1, 1}); };
  for_each_point(images, [&](const wherry::point<3>& image) {
    const wherry::point<3> offset{image[0] * n, image[1] * n, image[2] * n};
    for (int b = 0; b < by_fine.bricks(); ++b) {
      const auto part = intersection(shift<3>(coarse.mine, offset), needed(by_fine.brick(b)));
      if (part.empty()) continue;
      const wherry::point<3> back{-offset[0], -offset[1], -offset[2]};
      up.send(by_fine.owners[static_cast<std::size_t>(b)],
              section(coarse.u, local(shift<3>(part, back), coarse.mine.lower)));
    }
    for (int b = 0; b < coarse.cells.bricks() && by_fine.brick_of(rank) != wherry::box<3>{}; ++b) {
      const auto part = intersection(needed(my_landing), shift<3>(coarse.cells.brick(b), offset));
      if (!part.empty())
        up.receive(coarse.cells.owners[static_cast<std::size_t>(b)], section(values, local(part, my_landing.lower)));
    }
  });
  up.setup();
}

void staircase::restrict_residual() {
  kernels().restrict_to(brick_of(fine_->r), brick_of(landing_ ? landing_->values : coarse_->r), where_);
  if (landing_) landing_->down();
  coarse_->fill_r();
}

void staircase::correct_and_find_residual(bool add, const array& right) {
  if (landing_) landing_->up();
  const array& from = landing_ ? landing_->values : coarse_->u;
  kernels().interpolate_and_find_residual(brick_of(from), brick_of(fine_->u), where_, add, brick_of(right),
                                          brick_of(fine_->r), laplacian.data());
  fine_->fill_r();
}

}  // namespace nas_mg
