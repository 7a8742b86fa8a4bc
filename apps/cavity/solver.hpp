// The electromagnetic field in a box with conducting walls, by Yee's leapfrog (K. S. Yee, IEEE Trans. Antennas Propag.
// 14 (1966) 302): the electric field on the edges of the cells, the magnetic field on their faces, the charge on their
// corners, the material in the cells themselves. In the units of this file, light travels one length of the box in one
// unit of time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "wherry/wherry.hpp"

namespace cavity {

using point = wherry::point<3>;
using field = wherry::field<double, 3>;
/// A vector field: one component for each dimension.
using components = std::array<field, 3>;

/// The value of component `d` at a global place of the whole box.
using initial_field = std::function<double(int d, const point& place)>;
/// The permittivity of the cell at a global place.
using material = std::function<double(const point& cell)>;

class solver {
 public:
  /// Collective. `cells` counts the cells of the whole box, whose sides have length 1.
  solver(const wherry::communicator& comm, const point& cells, const material& permittivity,
         const initial_field& electric, const std::string& transport);

  /// Collective.
  void step();

  double time() const { return static_cast<double>(steps_) * dt_; }
  double dt() const { return dt_; }
  /// Collective. Returns the largest difference of the electric field from the given one.
  double error(const initial_field& exact) const;
  /// Collective. Returns the energy of the electric field now and of the magnetic field half a step before and after,
  /// which the leapfrog conserves. Ends that step.
  double energy_of_step();
  /// Collective. Returns the largest charge inside the box.
  double largest_charge();
  /// Collective. Returns one number for all bits of both fields.
  std::uint64_t fingerprint() const;

 private:
  void average(const material& permittivity);
  void advance_magnetic(double dt);
  void advance_electric();
  /// The edges along d that this rank computes: all its edges except those on walls and those that a rank above has,
  /// too.
  wherry::box<3> own_edges(int d) const;

  wherry::process_grid grid_;
  point cells_;
  wherry::box<3> mine_;
  components electric_, magnetic_, permittivity_;
  // An edge on a plane between ranks is computed by the rank above it, which reads the faces below it.
  wherry::halo_exchange share_electric_, fill_magnetic_;
  double dt_;
  long steps_ = 0;
};

}  // namespace cavity
