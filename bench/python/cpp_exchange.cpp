// The module bench_python: a halo exchange as a program in C++ does it, to be timed beside Python's in the same
// process. (The process has Wherry twice: in here, and in the package wherry.)
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "wherry/wherry.hpp"

namespace nb = nanobind;

namespace bench::python {
namespace {

using field = wherry::field<double, 3>;

/// The halos of one or three fields of doubles on a periodic grid of all ranks, and of a second set of such fields.
class cpp_exchange {
 public:
  cpp_exchange(const std::array<wherry::index_t, 3>& cells, int width, std::size_t fields)
      : grid_(MPI_COMM_WORLD, {.periodic = {true, true, true}}),
        mine_(wherry::owned_box<3>(grid_, wherry::point<3>{cells[0], cells[1], cells[2]})),
        sets_{made(width, fields), made(width, fields)},
        fill_(grid_, {}, halos()) {}

  std::vector<wherry::index_t> lower() const { return {mine_.lower.begin(), mine_.lower.end()}; }

  /// A view of a field with its halo.
  nb::ndarray<nb::numpy, double> array(std::size_t set, std::size_t number) {
    field& u = sets_.at(set).at(number);
    const auto extents = u.whole().extents();
    std::array<std::size_t, 3> shape{};
    std::array<std::int64_t, 3> strides{};
    for (std::size_t d = 0; d < 3; ++d) {
      shape[d] = static_cast<std::size_t>(extents[d]);
      strides[d] = u.strides()[d];
    }
    return {u.data(), 3, shape.data(), nb::find(this), strides.data()};
  }

  void fill(int times) {
    for (int i = 0; i < times; ++i) fill_();
  }

  /// Fills the two sets in turns.
  void fill_in_turns(int times) {
    for (int i = 0; i < times; ++i) start(sets_[static_cast<std::size_t>(i % 2)]);
  }

 private:
  std::vector<field> made(int width, std::size_t fields) const {
    std::vector<field> set;
    for (std::size_t i = 0; i < fields; ++i) set.emplace_back(grid_.comm(), mine_.extents(), width);
    return set;
  }
  std::vector<wherry::halo_field> halos() {
    std::vector<wherry::halo_field> result;
    for (field& u : sets_[0]) result.push_back(wherry::halo_of(u));
    return result;
  }
  void start(std::vector<field>& set) {
    if (set.size() == 1)
      fill_.start(set[0]);
    else if (set.size() == 3)
      fill_.start(set[0], set[1], set[2]);
    else
      throw std::invalid_argument("there are neither one field nor three");
    fill_.wait();
  }

  wherry::process_grid grid_;
  wherry::box<3> mine_;
  std::array<std::vector<field>, 2> sets_;
  wherry::halo_exchange fill_;
};

cpp_exchange made(const std::vector<wherry::index_t>& cells, int width, std::size_t fields) {
  if (cells.size() != 3) throw std::invalid_argument("'cells' are not along three dimensions");
  return {{cells[0], cells[1], cells[2]}, width, fields};
}

}  // namespace
}  // namespace bench::python

NB_MODULE(bench_python, module) {
  using bench::python::cpp_exchange;
  nb::class_<cpp_exchange>(module, "CppExchange")
      .def("lower", &cpp_exchange::lower)
      .def("array", &cpp_exchange::array)
      .def("fill", &cpp_exchange::fill)
      .def("fill_in_turns", &cpp_exchange::fill_in_turns);
  module.def("cpp_exchange", &bench::python::made);
}
