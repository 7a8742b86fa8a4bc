#include "distributed_array.hpp"

#include <span>
#include <string_view>

#include "wherry/blocks/array_file.hpp"
#include "wherry/motion/floor_plan.hpp"
#include "wherry/motion/x_array.hpp"

#include "errors.hpp"

namespace wherry_python {
namespace {

constexpr std::string_view in_file = "array_file";

template <int N> wherry::point<N> point_of(const distributed_shape::numbers& given) {
  wherry::point<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = given.at(d);
  return result;
}

/// The bytes from one component to the next. Several dimensions of components are one.
wherry::index_t component_stride(const array_shape& shape, std::size_t first, std::string_view argument) {
  if (shape.dimensions == first) return 0;
  wherry::index_t distance = 0, next = 0;
  for (std::size_t d = shape.dimensions; d-- > first;) {
    if (shape.extents[d] <= 1) continue;  // the stride of a single component means nothing
    if (distance == 0) distance = next = shape.strides[d];
    if (shape.strides[d] != next)
      refuse(in_file, argument, " has ", shape, ", whose components do not follow each other at one distance");
    next *= shape.extents[d];
  }
  return distance == 0 ? shape.item : distance;
}

template <int N> class array_of_dimensions : public distributed_array {
 public:
  using bytes = wherry::x_array<std::byte, N>;

  array_of_dimensions(const wherry::communicator& comm, const distributed_shape& shape, const nb::list& arrays,
                      bool written) {
    options_.type = shape.type;
    wherry::x_array_options<N> how;
    how.ghost_width = {point_of<N>(shape.minus), point_of<N>(shape.plus)};
    for (std::size_t d = 0; d < N; ++d) how.centring.on_planes[d] = shape.on_planes.at(d);
    how.components = static_cast<int>(shape.components);
    std::vector<wherry::box<N>> boxes;
    boxes.reserve(shape.boxes.size());
    for (const auto& [lower, upper] : shape.boxes) boxes.push_back({point_of<N>(lower), point_of<N>(upper)});
    const wherry::floor_plan<N> plan(std::move(boxes), shape.owners);
    const auto example = held_array(arrays[arrays.size() - 1], false, in_file, "the example").shape({}, {});
    how.element = {example.item, example.type};
    std::vector<wherry::grid_view<std::byte, N>> grids;
    for (const int number : plan.owned_by(comm.rank())) {
      const auto whole =
          wherry::grow<N>(values_of(plan[number], how.centring), how.ghost_width.minus, how.ghost_width.plus);
      grids.push_back(grid_over(arrays[held_.size()], whole, shape, written));
    }
    array_ = std::make_unique<bytes>(comm, plan, grids, how);
  }

  void write(const std::string& path) const override { wherry::write_array(path, *array_, options_); }
  wherry::index_t read(const std::string& path) override { return wherry::read_array(path, *array_, options_); }
  void write(wherry::array_series& series, const std::string& name, wherry::index_t step) const override {
    series.write(name, step, *array_, options_);
  }
  wherry::index_t read(const wherry::array_series& series, const std::string& name, wherry::index_t step) override {
    return series.read(name, step, *array_, options_);
  }

 private:
  wherry::grid_view<std::byte, N> grid_over(nb::handle array, const wherry::box<N>& whole,
                                            const distributed_shape& given, bool written) {
    const auto argument = wherry::detail::text("the array of block ", held_.size());
    held_.emplace_back(array, written, in_file, argument);
    const auto shape = held_.back().shape(in_file, argument);
    wherry::point<N> strides;
    for (std::size_t d = 0; d < N; ++d) {
      if (shape.dimensions < N || (shape.extents[d] != whole.extent(static_cast<int>(d)) && !whole.empty()))
        refuse(in_file, argument, " has ", shape, ", which is not the box with its halo");
      strides[d] = shape.strides[d];
    }
    return {held_.back().data(), whole, strides, static_cast<int>(given.components),
            component_stride(shape, N, argument)};
  }

  std::vector<held_array> held_{};
  wherry::array_file_options options_{};
  std::unique_ptr<bytes> array_{};
};

}  // namespace

std::unique_ptr<distributed_array> make_distributed_array(const wherry::communicator& comm,
                                                          const distributed_shape& shape, const nb::list& arrays,
                                                          bool written) {
  switch (shape.minus.size()) {
    case 1:
      return std::make_unique<array_of_dimensions<1>>(comm, shape, arrays, written);
    case 2:
      return std::make_unique<array_of_dimensions<2>>(comm, shape, arrays, written);
    case 3:
      return std::make_unique<array_of_dimensions<3>>(comm, shape, arrays, written);
    case 4:
      return std::make_unique<array_of_dimensions<4>>(comm, shape, arrays, written);
    default:
      refuse(in_file, "the array has ", shape.minus.size(), " dimensions, expected 1 to 4");
  }
}

}  // namespace wherry_python
