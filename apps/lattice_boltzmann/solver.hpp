/// @file
/// The lattice-Boltzmann solver: two arrays of populations, swapped after every step, and a halo exchange.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "flow.hpp"
#include "halo.hpp"

namespace lattice_boltzmann {

/// The ways to make a step. Their results are the same, bit for bit.
enum class stepping {
  fused,    ///< propagation and collision in one pass, after the halo has arrived
  split,    ///< propagation, then collision, each in a pass of its own: Ludwig's phases
  overlap,  ///< fused; the inner cells are computed while the halo travels
};

struct solver_options {
  memory_layout order = memory_layout::soa;
  stepping how = stepping::fused;
  halo_kind kind = halo_kind::reduced;
};

/// Seconds of this rank, by phase. Fused steps count as collision.
struct phases {
  double collide = 0, propagate = 0, pack = 0, wait = 0, unpack = 0;
  double halo() const { return pack + wait + unpack; }
  double total() const { return collide + propagate + halo(); }
};

/// The figures of all ranks that are checked after some steps.
struct state {
  double mass = 0;
  std::array<double, 3> momentum{};
  double error = 0;               ///< root mean square error of the velocity, divided by the largest speed
  std::uint64_t fingerprint = 0;  ///< of all populations; it does not depend on the grid of ranks or the layout
};

/// Two arrays, which hold the present and the next step in turn.
struct population_arrays {
  population_field fields[2];
};
/// Collective.
std::shared_ptr<population_arrays> make_arrays(const subdomain& mine, const model& lattice, memory_layout order);

class solver {
 public:
  /// Collective.
  /// @param arrays solvers that step one after the other may share them
  solver(const subdomain& mine, const model& lattice, const flow& what, const halo_version& version,
         const solver_options& options, std::shared_ptr<population_arrays> arrays);
  solver(const subdomain& mine, const model& lattice, const flow& what, const halo_version& version,
         const solver_options& options)
      : solver(mine, lattice, what, version, options, make_arrays(mine, lattice, options.order)) {}

  void reset();
  void step();
  /// Collective.
  state look();
  phases spent() const;
  const halo& exchange() const { return *halo_; }
  /// Density and velocity of one of this rank's cells.
  moments at(long x, long y, long z);
  const subdomain& where() const { return mine_; }

 private:
  populations array(int which) { return populations_of(arrays_->fields[which]); }

  subdomain mine_;
  const model& lattice_;
  flow flow_;
  solver_options options_;
  std::shared_ptr<population_arrays> arrays_;
  std::unique_ptr<halo> halo_;
  range3 inner_{};
  std::vector<range3> shell_;
  sweep sweep_{};
  int now_ = 0;
  long steps_ = 0;
  stopwatch collide_, propagate_;
};

}  // namespace lattice_boltzmann
