#include "transform.hpp"

#include <algorithm>
#include <stdexcept>

namespace nas_ft {

transform::transform(const view& grid, const wherry::box<3>& cells, std::span<const int> axes, direction way,
                     planning effort) {
  std::vector<fftw_iodim64> along, over;
  for (int d = 2; d >= 0; --d) {  // FFTW is fastest with the longest strides first
    const auto stride = grid.strides()[static_cast<std::size_t>(d)];
    auto& list = std::find(axes.begin(), axes.end(), d) != axes.end() ? along : over;
    list.push_back({cells.extent(d), stride, stride});
  }
  auto* first = reinterpret_cast<fftw_complex*>(&grid[cells.lower]);
  plan_.reset(fftw_plan_guru64_dft(static_cast<int>(along.size()), along.data(), static_cast<int>(over.size()),
                                   over.data(), first, first, static_cast<int>(way), static_cast<unsigned>(effort)));
  if (!plan_) throw std::runtime_error("FFTW has no plan for this transform");
}

wherry::box<3> plane_of(const wherry::box<3>& cells, int slowest, wherry::index_t place) {
  const auto d = static_cast<std::size_t>(slowest);
  auto plane = cells;
  plane.lower[d] = place;
  plane.upper[d] = place + 1;
  return plane;
}

std::vector<transform> transforms_of_planes(const view& grid, const wherry::box<3>& cells, int slowest,
                                            std::span<const int> axes, direction way, planning effort) {
  std::vector<transform> list;
  if (cells.empty()) return list;
  const auto d = static_cast<std::size_t>(slowest);
  for (auto place = cells.lower[d]; place < cells.upper[d]; ++place)
    list.emplace_back(grid, plane_of(cells, slowest, place), axes, way, effort);
  return list;
}

}  // namespace nas_ft
