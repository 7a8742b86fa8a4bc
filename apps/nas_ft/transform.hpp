/// @file
/// One-dimensional Fourier transforms in place, many at once, by FFTW.
#pragma once

#include <fftw3.h>

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "field.hpp"

namespace nas_ft {

enum class direction { forward = FFTW_FORWARD, inverse = FFTW_BACKWARD };
/// The effort to find the fastest plan.
enum class planning : unsigned { estimate = FFTW_ESTIMATE, measure = FFTW_MEASURE };

/// A planned transform. Movable.
class transform {
 public:
  /// Plans a transform of the points `cells` of the grid along `axes`, for every point of the other axes. The transform
  /// is not normalised. Planning with `measure` overwrites the points.
  transform(const view& grid, const wherry::box<3>& cells, std::span<const int> axes, direction way, planning effort);
  void operator()() const { fftw_execute(plan_.get()); }

 private:
  struct destroy {
    void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
  };
  std::unique_ptr<std::remove_pointer_t<fftw_plan>, destroy> plan_;
};

/// The plane of `cells` at one place along the dimension whose points lie farthest apart.
wherry::box<3> plane_of(const wherry::box<3>& cells, int slowest, wherry::index_t place);

/// Makes a transform for each plane. A plane stays in the cache between one axis and the next.
std::vector<transform> transforms_of_planes(const view& grid, const wherry::box<3>& cells, int slowest,
                                            std::span<const int> axes, direction way, planning effort);

}  // namespace nas_ft
