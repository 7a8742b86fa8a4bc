/// @file
/// Particles that change their owner: each goes to the rank whose part of the space it is in.
///
///     wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true, true}});
///     wherry::particle_exchange<3> migrate(grid, {16, 16, 16}, {.lower = {0, 0, 0}, .upper = {1, 1, 1}});
///     for (int step = 0; step < steps; ++step) {
///       push(x, y, z, vx, vy, vz);
///       migrate(wherry::by_position(x, y, z), vx, vy, vz, id);
///     }
///
/// `ghost_particles` adds the particles of other ranks within a cut-off.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/motion/floor_plan.hpp"
#include "wherry/particles/particle_arrays.hpp"
#include "wherry/particles/particle_space.hpp"

namespace wherry::particles {

class migration;
struct territory;

}  // namespace wherry::particles

namespace wherry {

/// The order of the particles after a move. It depends on the particles only, not on time.
enum class particle_order {
  /// Particles that arrive fill the places of those that have left, and then places at the end. If more have left than
  /// arrive, the last particles fill the other places. No other particle is copied.
  fill_holes,
  /// Particles that stay keep their order, and those that arrive come behind them, ordered by the rank that sent them
  /// and by their index there.
  stable
};

/// Options of a particle exchange. They must be the same on all ranks.
struct particle_options {
  particle_order order = particle_order::fill_holes;
  /// True: no particle moves further than to a rank whose boxes touch this rank's. Messages then go to these ranks
  /// only, and a particle that moves further is an error. A partial floor plan must know the boxes within one cell.
  /// Only the ranks around this one hear of an error then, after they have sent their particles, so that the program
  /// cannot go on. Under WHERRY_CHECK all ranks hear of it, and nothing moves.
  bool neighbors_only = false;
  /// The algorithm of the sparse exchange by which particles travel; see `sparse_options`.
  std::string algorithm = "auto";
};

/// The result of a move, on this rank.
struct particle_move {
  std::size_t left = 0, arrived = 0;
  std::size_t count = 0;  ///< the particles that this rank has now
};

/// Moves particles to their owners. Movable. A move in which little happens costs one pass over the positions, a copy
/// of what moves, and the messages; once arrays and buffers have grown, it allocates nothing.
template <int N> class particle_exchange {
 public:
  /// Particles belong to the rank of a process grid that owns their cell (`process_grid::owner_of`). The space is
  /// periodic in the dimensions in which the grid is. Collective over `grid.comm()`.
  /// @param cells the number of cells along each dimension, at least 1
  /// @throws error(argument) on all ranks alike for a space without volume, or cells that the grid cannot divide;
  ///   error(mismatch) if arguments differ between ranks
  particle_exchange(const process_grid& grid, const point<N>& cells, const particle_space<N>& space,
                    const particle_options& options = {});
  /// The overload for programs without cells: the ranks along each dimension of the grid divide the space evenly.
  /// @throws as above; error(argument) for a grid of more dimensions than the space
  particle_exchange(const process_grid& grid, const particle_space<N>& space, const particle_options& options = {});
  /// Particles belong to the rank that owns the first box of a floor plan that contains their cell. The cells of
  /// `cells.cells` divide the space evenly. Collective over `comm`.
  /// @throws as above
  particle_exchange(const communicator& comm, const floor_plan<N>& plan, const domain<N>& cells,
                    const particle_space<N>& space, const particle_options& options = {});
  /// Particles belong to the ranks that the caller names, with `by_owner`. Collective over `comm`.
  explicit particle_exchange(const communicator& comm, const particle_options& options = {});
  particle_exchange(particle_exchange&&) noexcept;
  particle_exchange& operator=(particle_exchange&&) noexcept;
  /// A move that is under way goes on by itself: other ranks get what this one gave, and this rank's arrays stay as
  /// they are.
  ~particle_exchange();

  /// Moves the particles in these arrays to their owners. Collective.
  ///     migrate(by_position(x, y, z), vx, vy, vz);           // structure of arrays
  ///     migrate(by_position(&particle::r), particles);       // structures
  ///     migrate(leavers(mask), by_position(x, y, z), vx);    // only those marked may have left
  ///     migrate(by_owner(ranks), particles);
  /// All arrays have an element for each particle. A position beyond a periodic edge is corrected by whole periods.
  /// @throws error(argument) on all ranks alike if arrays of a rank have different lengths, or a particle has a
  ///   position that is no number, or is in no box, which the text names; error(mismatch) if ranks give arrays of
  ///   different types. Nothing has moved then. error(timeout) if a rank does not come: call `wait`, which goes on.
  ///   error(resource) on this rank as `wait`. Under WHERRY_CHECK, error(state) if particles were lost or changed; a
  ///   timeout of this comparison, which follows the move, cannot be continued
  template <detail::particle_choice How, detail::moving_column... Columns>
  particle_move operator()(const How& how, Columns&&... columns) {
    start(how, columns...);
    return wait();
  }
  template <detail::particle_choice How, detail::moving_column... Columns>
  particle_move operator()(const leavers& only, const How& how, Columns&&... columns) {
    start(only, how, columns...);
    return wait();
  }

  /// Starts a move: packs the particles that leave, and sends them. Until `wait` returns, the arrays must not be
  /// destroyed, and keep their lengths; values may be written, but not positions, lengths of `ragged`, nor the values
  /// of particles that leave.
  /// @throws error(state) on this rank if a move is under way
  template <detail::particle_choice How, detail::moving_column... Columns>
  void start(const How& how, Columns&&... columns) {
    static_assert(sizeof...(Columns) + detail::columns_of_choice<How> > 0, "no array was given");
    detail::particle_arguments<N, How, Columns...> all(how, columns...);
    begin(all.call());
  }
  template <detail::particle_choice How, detail::moving_column... Columns>
  void start(const leavers& only, const How& how, Columns&&... columns) {
    static_assert(sizeof...(Columns) + detail::columns_of_choice<How> > 0, "no array was given");
    detail::particle_arguments<N, How, Columns...> all(how, columns...);
    all.call().marks = only.marks();
    begin(all.call());
  }
  /// The overload for arguments with erased types, as language bindings use it. The arrays must live until `wait`
  /// returns.
  void start(const detail::particle_call& call) { begin(call); }
  /// True if the move would end at once. Local. @throws as `wait`, except error(timeout)
  bool test();
  /// Ends the move: waits for the particles that come, and puts them into the arrays. It may be called again after
  /// error(timeout), and after error(resource) whose text says so: this rank has no memory for the particles that have
  /// come, its arrays are as before, and the caller may free some. Another error(resource) ends the move. If its text
  /// says that particles are lost, there was no memory to receive them, and the program must end.
  /// @throws as `operator()`; error(state) if no move is under way
  particle_move wait();

  /// For each particle that this rank has after the last move: its index before the move, or -1 - k for the k-th that
  /// arrived. For arrays that were not passed. Local.
  std::vector<index_t> permutation() const;
  /// The ranks to which particles may go by `neighbors_only`, ascending.
  std::vector<int> neighbors() const;
  /// The rank that owns a position, which may be beyond a periodic edge; -1 if there is none. Local.
  int owner_of(const std::array<double, static_cast<std::size_t>(N)>& position) const;
  /// The cell of a position, which may be beyond a periodic edge, by the same bounds by which particles move.
  /// `plan.box_of(cell)` is its box. Local.
  /// @throws error(argument) for a position that is outside the space or no number
  point<N> cell_of(const std::array<double, static_cast<std::size_t>(N)>& position) const;
  const communicator& comm() const;

  /// For the library.
  const std::shared_ptr<particles::territory>& internals() const;

 private:
  void begin(const detail::particle_call& call);

  std::unique_ptr<particles::migration> state_;
};

}  // namespace wherry
