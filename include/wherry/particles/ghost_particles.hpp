/// @file
/// Ghost particles: copies of the particles of other ranks, and of periodic images, that are within a cut-off of this
/// rank's part of the space.
///
///     wherry::ghost_particles<3> ghosts(migrate, cutoff);
///     migrate(wherry::by_position(x, y, z), vx, vy, vz, id);
///     ghosts.plan(wherry::by_position(x, y, z), id);     // behind x.size() own particles come the ghosts
///     for (int step = 0; step < steps_between_moves; ++step) {
///       ghosts.fill(wherry::by_position(x, y, z));
///       forces(x, y, z, fx, fy, fz);                     // also those on ghosts
///       ghosts.sum_back(fx, fy, fz);
///     }
///     ghosts.drop(wherry::by_position(x, y, z), id);     // before the next move
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "wherry/core/communicator.hpp"
#include "wherry/particles/particle_arrays.hpp"
#include "wherry/particles/particle_exchange.hpp"
#include "wherry/transport/exchange.hpp"

namespace wherry::particles {

class ghosts;

}  // namespace wherry::particles

namespace wherry {

/// The ghosts of the particles of a `particle_exchange`. Movable. A particle has a ghost on each rank that has a box
/// within the cut-off, and one for each periodic image of it that is within the cut-off, also on its own rank. Ghosts
/// are ordered by the rank that owns them, then by their image, then by their index there.
template <int N> class ghost_particles {
 public:
  /// Finds the ranks within the cut-off. Collective over `migrate.comm()`.
  /// @param cutoff a distance in the unit of the positions. In a space with edges or a function, a box reaches as far
  ///   as the cut-off along each dimension, so that corners have a few ghosts more. `particle_space::fractions` says
  ///   which functions are too steep for it
  /// @throws error(argument) on all ranks alike for a cut-off that is negative, no number, or so long that a particle
  ///   would have more than 100,000 periodic images, for an exchange without a space, and for a partial floor plan that
  ///   does not know the boxes within the cut-off; error(mismatch) if cut-offs differ
  ghost_particles(const particle_exchange<N>& migrate, double cutoff, const carry_options& carry = {});
  ghost_particles(ghost_particles&&) noexcept;
  ghost_particles& operator=(ghost_particles&&) noexcept;
  ~ghost_particles();

  /// Finds the particles that have ghosts, lengthens the arrays by the ghosts of this rank, and fills them. The arrays
  /// have one element for each particle of this rank when it is called, and the positions are in this rank's part of
  /// the space, as after a move. Collective.
  ///     ghosts.plan(by_position(&particle::r), particles);
  /// @throws error(argument) on all ranks alike if arrays of a rank have different lengths, an array is given twice, or
  ///   a particle is not in this rank's part of the space; error(state) on all ranks alike if arrays still have their
  ///   ghosts: call `drop`; error(resource) if a rank has no memory for its ghosts. The arrays and the plan before are
  ///   then as they were. Others as `fill`: the arrays then have ghosts, and `drop` shortens them
  template <detail::position_choice How, detail::ghost_column... Columns>
  void plan(const How& how, Columns&&... columns) {
    detail::particle_arguments<N, How, Columns...> all(how, columns...);
    make(all.call());
  }
  /// The overload for arguments with erased types, as language bindings use it.
  void plan(const detail::particle_call& call) { make(call); }

  /// The particles of this rank, and their ghosts on this rank, which follow them in the arrays.
  std::size_t owned() const;
  std::size_t count() const;
  /// The rank that owns ghost k, counted from 0. Local.
  int owner_of(std::size_t k) const;

  /// Fills the ghosts of arrays with the values of their owners. Positions are shifted by the periods of their image.
  /// Of structures, `by_position(&particle::r), particles` fills the positions only; `member_of` names other members.
  /// The arrays have `owned() + count()` elements. Collective when arrays of these types are filled for the first time
  /// after `plan`; later calls are local to start and allocate nothing.
  /// @throws error(state) on this rank if particles have moved since `plan`; error(argument) on this rank for an array
  ///   that is too short or given twice; others as `exchange::start` and `exchange::wait`
  template <detail::position_choice How, detail::ghost_column... Columns>
  void fill(const How& how, Columns&&... columns) {
    start_fill(how, columns...);
    wait();
  }
  template <detail::ghost_column... Columns> void fill(Columns&&... columns) {
    start_fill(columns...);
    wait();
  }
  /// Adds the values of ghosts to those of their owners, first those of this rank's own images, then in the order
  /// of the ranks. Ghosts keep their values. In all other respects it is like `fill`.
  template <detail::ghost_column... Columns> void sum_back(Columns&&... columns) {
    start_sum_back(columns...);
    wait();
  }

  /// Starts to fill ghosts, or to sum back. The arrays must stay where they are until `wait` returns.
  template <detail::position_choice How, detail::ghost_column... Columns>
  void start_fill(const How& how, Columns&&... columns) {
    detail::particle_arguments<N, How, Columns...> all(how, columns...);
    begin(all.call(), false);
  }
  template <detail::ghost_column... Columns> void start_fill(Columns&&... columns) { begin_plain(false, columns...); }
  template <detail::ghost_column... Columns> void start_sum_back(Columns&&... columns) {
    begin_plain(true, columns...);
  }
  /// The overloads for arguments with erased types, as language bindings use them.
  void start_fill(const detail::particle_call& call) { begin(call, false); }
  void start_sum_back(const detail::particle_call& call) { begin(call, true); }
  void resize(std::span<const detail::particle_column> columns) { lengthen(columns); }
  void drop(std::span<const detail::particle_column> columns) { shorten(columns); }
  /// True if the exchange of ghosts that was started has ended, and if none was started. @throws as `wait`, except
  /// error(timeout)
  bool test();
  /// Ends the exchange that was started; after a `test` that was true it returns at once.
  /// @throws as `exchange::wait`; error(state) if nothing was started
  void wait();

  /// Gives arrays, such as those of forces, an element for each particle of this rank and each ghost. Local.
  /// @throws error(state) before `plan`
  template <detail::ghost_column... Columns> void resize(Columns&&... columns) {
    const detail::particle_column all[] = {detail::ghost_column_of(columns)...};
    lengthen(all);
  }
  /// Shortens the arrays to this rank's own particles; before `plan` it changes nothing. Local. The next move then
  /// takes the arrays to be without ghosts. A copy of an array needs only `copy.resize(owned())`.
  template <detail::position_choice How, detail::ghost_column... Columns>
  void drop(const How& how, Columns&&... columns) {
    detail::particle_arguments<N, How, Columns...> all(how, columns...);
    shorten(all.call().columns);
  }
  template <detail::ghost_column... Columns> void drop(Columns&&... columns) {
    const detail::particle_column all[] = {detail::ghost_column_of(columns)...};
    shorten(all);
  }

  const communicator& comm() const;

 private:
  template <class... Columns> void begin_plain(bool back, Columns&... columns) {
    static_assert(sizeof...(Columns) > 0, "no array was given");
    const detail::particle_column all[] = {detail::ghost_column_of(columns)...};
    detail::particle_call call;
    call.columns = all;
    begin(call, back);
  }
  void make(const detail::particle_call& call);
  void begin(const detail::particle_call& call, bool back);
  void shorten(std::span<const detail::particle_column> columns);
  void lengthen(std::span<const detail::particle_column> columns);
  particles::ghosts& live() const;

  std::unique_ptr<particles::ghosts> state_;
};

}  // namespace wherry
