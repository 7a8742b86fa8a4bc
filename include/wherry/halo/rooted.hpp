/// @file
/// Rooted patterns over a process grid: broadcast, scatter and gather of array sections, bound once and run any number
/// of times (GCL, section 7).
///
///     wherry::field<double, 3> u(grid.comm(), {nx, ny, nz}, 1);
///     wherry::scatter_exchange from_root(grid, global, u);  // `global` is read on rank 0 only
///     wherry::gather_exchange to_root(grid, u, global);
///     from_root(); …; to_root();
///
/// For contiguous buffers on a communicator, the module `collective` has MPI's own broadcast, scatter and gather.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "wherry/halo/process_grid.hpp"
#include "wherry/halo/transfer.hpp"
#include "wherry/transport/bound_pattern.hpp"

namespace wherry {

/// Options of a rooted pattern. All but `carry.team` and `carry.name` must be the same on all ranks.
struct rooted_options {
  int root = 0;  ///< the rank, in the grid's communicator, that has the global array or the section to be copied
  /// For each data dimension, the grid dimension along which it is cut, as in `owned_box`. Only for scatter and gather.
  std::vector<int> axes{};
  carry_options carry{};  ///< the transport, and other things that change how data travels, but not where to
};

/// Returns the section itself, so that every rooted pattern also takes sections.
inline const array_section& section_of(const array_section& part) { return part; }
/// A type that a rooted pattern takes: an array section, a view, a field, or a halo view. The core of a field or halo
/// view travels.
template <class Array>
concept has_section = requires(Array& array) { section_of(array); };

/// Copies sections of the root's arrays to sections of the same shape on all other ranks of the grid, along a binomial
/// tree, so the number of stages grows with the logarithm of the number of ranks. Layouts may differ between ranks.
///
///     wherry::bcast_exchange everywhere(grid, {.root = 1}, coefficients, section_of(u, part));
///     everywhere();
class bcast_exchange : public bound_pattern {
 public:
  /// Collective over the grid's communicator. Every rank passes its own sections, in the same order.
  /// @throws error(argument) on all ranks alike for a root that is not in the grid, null memory, or a const section on
  ///         another rank than the root; error(mismatch) for shapes that differ from the root's.
  template <has_section... Arrays>
    requires(sizeof...(Arrays) > 0)
  explicit bcast_exchange(const process_grid& grid, Arrays&&... arrays)
      : bcast_exchange(grid, rooted_options{}, std::vector<array_section>{section_of(arrays)...}) {}
  template <has_section... Arrays>
    requires(sizeof...(Arrays) > 0)
  bcast_exchange(const process_grid& grid, const rooted_options& options, Arrays&&... arrays)
      : bcast_exchange(grid, options, std::vector<array_section>{section_of(arrays)...}) {}
  /// The constructor for sections with erased types, as language bindings use it.
  bcast_exchange(const process_grid& grid, const rooted_options& options, std::vector<array_section> parts);
};

/// Distributes a global array of the root among the ranks of the grid. Each rank's local array says how large its
/// subdomain is; along each dimension the subdomains together must have the extent of the global array. Layouts may
/// differ everywhere. Halos are neither read nor written.
class scatter_exchange : public bound_pattern {
 public:
  /// Collective over the grid's communicator.
  /// @param global the global array, a view or a field. It is used on the root only; other ranks may pass an
  ///        empty view.
  /// @param local this rank's subdomain
  /// @throws error(argument) on all ranks alike for a root that is not in the grid, null memory, or wrong
  ///         `axes`; error(mismatch), naming the dimension and both figures, for different element sizes or
  ///         numbers of dimensions, or for subdomains that do not fill the global array.
  template <has_section Global, has_section Local>
  scatter_exchange(const process_grid& grid, Global&& global, Local&& local, const rooted_options& options = {})
      : scatter_exchange(grid, section_of(global), section_of(local), options) {}
  scatter_exchange(const process_grid& grid, array_section global, array_section local,
                   const rooted_options& options = {});
};

/// Assembles the ranks' subdomains in a global array of the root: the reverse of `scatter_exchange`.
class gather_exchange : public bound_pattern {
 public:
  /// Collective over the grid's communicator. Parameters and errors are those of `scatter_exchange`.
  template <has_section Local, has_section Global>
  gather_exchange(const process_grid& grid, Local&& local, Global&& global, const rooted_options& options = {})
      : gather_exchange(grid, section_of(local), section_of(global), options) {}
  gather_exchange(const process_grid& grid, array_section local, array_section global,
                  const rooted_options& options = {});
};

}  // namespace wherry
