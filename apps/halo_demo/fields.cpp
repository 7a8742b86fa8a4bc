#include "fields.hpp"

namespace halo_demo {
namespace {

/// Calls `visit(cell)` for the cells of `whole` outside `core`.
template <class Visit> void for_each_halo_cell(const wherry::box<3>& whole, const wherry::box<3>& core, Visit&& visit) {
  for (long z = whole.lower[2]; z < whole.upper[2]; ++z)
    for (long y = whole.lower[1]; y < whole.upper[1]; ++y) {
      const bool inside = z >= core.lower[2] && z < core.upper[2] && y >= core.lower[1] && y < core.upper[1];
      for (long x = whole.lower[0]; x < whole.upper[0]; ++x) {
        if (inside && x == core.lower[0]) x = core.upper[0];
        visit(wherry::point<3>{x, y, z});
      }
    }
}

/// The number of bytes from the first cell to the last one, both included.
std::size_t bytes_of(const wherry::field<double, 3>& one) {
  const auto whole = one.whole();
  const double* const last = &one[{whole.upper[0] - 1, whole.upper[1] - 1, whole.upper[2] - 1}];
  return static_cast<std::size_t>(last + 1 - one.data()) * sizeof(double);
}

}  // namespace

fields::fields(const wherry::process_grid& grid, long size, bool on_device) : size_(size) {
  const auto at = grid.coordinates(grid.comm().rank());
  for (std::size_t d = 0; d < 3; ++d) {
    first_[d] = at[d] * size;
    cells_[d] = grid.extents()[d] * size;
  }
  for (int f = 0; f < count; ++f) {
    auto& made = fields_.emplace_back(grid.comm(), wherry::point<3>{size, size, size}, width);
    for_each_point(made.core(), [&](const wherry::point<3>& cell) { made[cell] = expected(f, cell); });
    if (on_device)
      on_device_.emplace_back(grid.comm(), wherry::point<3>{size, size, size}, width,
                              wherry::field_options<3>{.space = wherry::memory_space::device});
  }
  to_device();
}

void fields::to_device() {
  for (std::size_t f = 0; f < on_device_.size(); ++f)
    wherry::copy_on_device(on_device_[f].data(), fields_[f].data(), bytes_of(fields_[f]));
}

void fields::from_device() {
  for (std::size_t f = 0; f < on_device_.size(); ++f)
    wherry::copy_on_device(fields_[f].data(), on_device_[f].data(), bytes_of(fields_[f]));
}

double fields::expected(int field, const wherry::point<3>& local) const {
  wherry::point<3> global{};
  for (std::size_t d = 0; d < 3; ++d) global[d] = (first_[d] + local[d] + cells_[d]) % cells_[d];
  return static_cast<double>(((field * cells_[2] + global[2]) * cells_[1] + global[1]) * cells_[0] + global[0]);
}

void fields::spoil_halos() {
  for (auto& one : fields_)
    for_each_halo_cell(one.whole(), one.core(), [&](const wherry::point<3>& cell) { one[cell] = -1; });
  to_device();
}

long fields::wrong_halo_cells() {
  from_device();
  long wrong = 0;
  for (int f = 0; f < count; ++f) {
    const auto& one = fields_[static_cast<std::size_t>(f)];
    for_each_halo_cell(one.whole(), one.core(),
                       [&](const wherry::point<3>& cell) { wrong += one[cell] != expected(f, cell) ? 1 : 0; });
  }
  return wrong;
}

long fields::wrong_core_cells() {
  from_device();
  long wrong = 0;
  for (int f = 0; f < count; ++f) {
    const auto& one = fields_[static_cast<std::size_t>(f)];
    for_each_point(one.core(), [&](const wherry::point<3>& cell) { wrong += one[cell] != expected(f, cell) ? 1 : 0; });
  }
  return wrong;
}

long fields::halo_cells() const {
  const long whole = size_ + 2 * width;
  return count * (whole * whole * whole - size_ * size_ * size_);
}

}  // namespace halo_demo
