#include "wherry/particles/particle_exchange.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "wherry/core/error.hpp"

#include "core/terms.hpp"
#include "migration.hpp"

namespace wherry {
namespace {

using particles::territory;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Makes the territory on all ranks, or an error on all ranks.
template <int N, class MakeOwners>
std::shared_ptr<territory> agreed_territory(const communicator& comm, const particle_space<N>& space,
                                            const domain<N>& cells, std::uint64_t plan, const particle_options& options,
                                            MakeOwners&& make_owners) {
  const terms agreed([=, &space, &cells, &options](auto& say) {
    say(options.order, "'order'");
    say(options.neighbors_only, "'neighbors_only'");
    say(options.algorithm, "'algorithm'");
    say(plan, "the owners of the cells");
    say(static_cast<bool>(space.fractions), "whether there are 'fractions'");
    for (std::size_t d = 0; d < N; ++d) {
      say(cells.cells.lower[d], "the first cell along dimension ", d);
      say(cells.cells.upper[d], "the cells along dimension ", d);
      say(cells.periodic[d], "whether dimension ", d, " is periodic");
      say(bits(space.lower[d]), "the bits of 'lower' along dimension ", d);
      say(bits(space.upper[d]), "the bits of 'upper' along dimension ", d);
      for (std::size_t e = 0; e < N; ++e)
        say(bits(space.edges[d][e]), "the bits of 'edges' ", d, " along dimension ", e);
    }
  });
  std::shared_ptr<territory> made;
  collectively_on(agreed, comm, particles::in_exchange, [&] {
    particles::space_map map(particles::describe<N>(space, cells), comm.rank());
    auto owners = make_owners();
    if (options.neighbors_only) {
      particles::cell one_cell;
      one_cell.fill(1);
      owners->require_reach(particles::in_exchange.data(), one_cell, comm.rank());
    }
    made = std::make_shared<territory>(comm, std::move(map), std::move(owners));
  });
  return made;
}

particles::migration& live(const std::unique_ptr<particles::migration>& state) {
  if (!state) throw error(error_kind::state, particles::in_exchange, "this object has been moved from");
  return *state;
}

template <std::size_t N> particles::position to_position(const std::array<double, N>& given) {
  particles::position x{};
  for (std::size_t d = 0; d < N; ++d) x[d] = given[d];
  return x;
}

}  // namespace

template <int N>
particle_exchange<N>::particle_exchange(const process_grid& grid, const point<N>& cells, const particle_space<N>& space,
                                        const particle_options& options) {
  domain<N> all{box_of_extents<N>(cells), {}};
  for (std::size_t d = 0; d < N; ++d) all.periodic[d] = d < grid.periodic().size() && grid.periodic()[d];
  shape_hash shape;
  for (const int extent : grid.extents()) shape.add(extent);
  auto ground = agreed_territory<N>(grid.comm(), space, all, shape.value(), options,
                                    [&] { return particles::owners_by_grid<N>(grid, cells); });
  state_ = std::make_unique<particles::migration>(std::move(ground), options);
}

namespace {

/// A cell for each rank along each dimension; a grid of more dimensions than the space is refused with the cells.
template <int N> point<N> cells_of_ranks(const process_grid& grid) {
  point<N> cells;
  for (std::size_t d = 0; d < N; ++d) cells[d] = d < grid.extents().size() ? grid.extents()[d] : 1;
  return cells;
}

}  // namespace

template <int N>
particle_exchange<N>::particle_exchange(const process_grid& grid, const particle_space<N>& space,
                                        const particle_options& options)
    : particle_exchange(grid, cells_of_ranks<N>(grid), space, options) {}

template <int N>
particle_exchange<N>::particle_exchange(const communicator& comm, const floor_plan<N>& plan, const domain<N>& cells,
                                        const particle_space<N>& space, const particle_options& options) {
  auto ground = agreed_territory<N>(comm, space, cells, plan.fingerprint(), options, [&] {
    for (const int owner : plan.owners())
      if (owner >= comm.size())
        throw error(error_kind::argument, particles::in_exchange,
                    detail::text("the floor plan has a box of rank ", owner, ", expected 0 to ", comm.size() - 1),
                    comm.rank());
    return particles::owners_by_plan<N>(plan, cells, comm.rank());
  });
  state_ = std::make_unique<particles::migration>(std::move(ground), options);
}

template <int N> particle_exchange<N>::particle_exchange(const communicator& comm, const particle_options& options) {
  const terms agreed([&](auto& say) {
    say(options.order, "'order'");
    say(options.algorithm, "'algorithm'");
  });
  collectively_on(agreed, comm, particles::in_exchange, [&] {
    if (options.neighbors_only)
      throw error(error_kind::argument, particles::in_exchange,
                  "'neighbors_only' wants a space: without one, no rank has neighbors", comm.rank());
  });
  state_ = std::make_unique<particles::migration>(std::make_shared<territory>(comm, particles::space_map(), nullptr),
                                                  options);
}

template <int N> particle_exchange<N>::particle_exchange(particle_exchange&&) noexcept = default;
template <int N> particle_exchange<N>& particle_exchange<N>::operator=(particle_exchange&&) noexcept = default;
template <int N> particle_exchange<N>::~particle_exchange() = default;

template <int N> void particle_exchange<N>::begin(const detail::particle_call& call) { live(state_).begin(call); }
template <int N> bool particle_exchange<N>::test() { return live(state_).test(); }
template <int N> particle_move particle_exchange<N>::wait() { return live(state_).wait(); }
template <int N> std::vector<index_t> particle_exchange<N>::permutation() const { return live(state_).permutation(); }
template <int N> std::vector<int> particle_exchange<N>::neighbors() const { return live(state_).ground()->neighbors; }
template <int N> const communicator& particle_exchange<N>::comm() const { return live(state_).ground()->comm; }
template <int N> const std::shared_ptr<territory>& particle_exchange<N>::internals() const {
  return live(state_).ground();
}
template <int N>
int particle_exchange<N>::owner_of(const std::array<double, static_cast<std::size_t>(N)>& position) const {
  return live(state_).owner_of(to_position(position));
}
template <int N>
point<N> particle_exchange<N>::cell_of(const std::array<double, static_cast<std::size_t>(N)>& position) const {
  const auto found = live(state_).cell_of(to_position(position));
  if (!found)
    throw error(error_kind::argument, particles::in_exchange, "'position' is outside the space, or no number",
                comm().rank());
  return particles::to_point<N>(*found);
}

template class particle_exchange<1>;
template class particle_exchange<2>;
template class particle_exchange<3>;

}  // namespace wherry
