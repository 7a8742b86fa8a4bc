/// @file
/// Patterns with a root over a process grid: broadcast, scatter and gather of array sections (paper 1, section 7).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "wherry/halo/process_grid.hpp"
#include "wherry/halo/transfer.hpp"
#include "wherry/transport/bound_pattern.hpp"

namespace wherry {

/// What can be said of a rooted pattern beyond its arrays. Must be the same on all ranks.
struct rooted_options {
  /// Which grid dimension each data dimension is cut along; empty: the same. Scatter and gather only.
  std::vector<int> axes{};
  carry_options carry{};
};

/// Anything that can travel as an array section: a section itself, a view, a field's or a `halo_view`'s core.
inline const array_section& section(const array_section& part) { return part; }
template <class Array>
concept has_section = requires(Array& array) { section(array); };

/// Copies sections of the root's arrays to the sections of the same shape on all other ranks of the grid, by a binomial
/// tree: as many stages as the number of ranks has binary digits. Layouts may differ from rank to rank.
///
///     wherry::grid_broadcast everywhere(grid, root, coefficients, section(u, part));
///     everywhere();
class grid_broadcast : public bound_pattern {
 public:
  /// Collective; every rank passes its own sections, in the same order.
  /// @throws error on all ranks alike: argument (no such root, null memory), mismatch (shapes that differ from the
  /// root's).
  template <has_section... Arrays>
    requires(sizeof...(Arrays) > 0)
  grid_broadcast(const process_grid& grid, int root, Arrays&&... arrays)
      : grid_broadcast(grid, root, rooted_options{}, std::vector<array_section>{section(arrays)...}) {}
  template <has_section... Arrays>
    requires(sizeof...(Arrays) > 0)
  grid_broadcast(const process_grid& grid, int root, const rooted_options& options, Arrays&&... arrays)
      : grid_broadcast(grid, root, options, std::vector<array_section>{section(arrays)...}) {}
  /// The same with types erased.
  grid_broadcast(const process_grid& grid, int root, const rooted_options& options, std::vector<array_section> parts);
};

/// Cuts a global array of the root into the ranks' subdomains. The ranks say how large their subdomains are; those
/// along one axis of the grid must fill the global array together. Layouts may differ everywhere. Halos are neither
/// read nor written.
///
///     wherry::field<double, 3> u(grid.comm(), {nx, ny, nz}, 1);
///     wherry::grid_scatter from_root(grid, 0, global, u);      // `global` is looked at on rank 0 only
///     wherry::grid_gather to_root(grid, 0, u, global);
///     from_root(); …; to_root();
class grid_scatter : public bound_pattern {
 public:
  /// Collective. `global`, a view or a field, matters on the root only; elsewhere `view<T, N>{}` will do.
  /// @throws error on all ranks alike: argument (no such root, null memory, axes), mismatch (element sizes or
  /// dimensions that
  ///         differ, subdomains that do not fill the global array, naming axis and figures).
  template <has_section Global, has_section Local>
  grid_scatter(const process_grid& grid, int root, Global&& global, Local&& local)
      : grid_scatter(grid, root, rooted_options{}, section(global), section(local)) {}
  template <has_section Global, has_section Local>
  grid_scatter(const process_grid& grid, int root, const rooted_options& options, Global&& global, Local&& local)
      : grid_scatter(grid, root, options, section(global), section(local)) {}
  grid_scatter(const process_grid& grid, int root, const rooted_options& options, array_section global,
               array_section local);
};

/// The way back: puts the ranks' subdomains together in a global array of the root.
class grid_gather : public bound_pattern {
 public:
  /// Collective, as `grid_scatter`.
  template <has_section Local, has_section Global>
  grid_gather(const process_grid& grid, int root, Local&& local, Global&& global)
      : grid_gather(grid, root, rooted_options{}, section(local), section(global)) {}
  template <has_section Local, has_section Global>
  grid_gather(const process_grid& grid, int root, const rooted_options& options, Local&& local, Global&& global)
      : grid_gather(grid, root, options, section(local), section(global)) {}
  grid_gather(const process_grid& grid, int root, const rooted_options& options, array_section local,
              array_section global);
};

}  // namespace wherry
