// Arrays of which each rank has some boxes, as files see them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/blocks/array_series.hpp"
#include "wherry/core/communicator.hpp"

#include "arrays.hpp"

namespace wherry_python {

namespace nb = nanobind;

/// What Python says of such an array.
struct distributed_shape {
  using numbers = std::vector<wherry::index_t>;

  std::vector<std::pair<numbers, numbers>> boxes;  ///< of all ranks
  std::vector<int> owners;                         ///< of the boxes
  numbers minus, plus;                             ///< the widths of the halo
  std::vector<bool> on_planes;
  wherry::index_t components = 1;
  std::string type;  ///< the name of the elements in files
};

/// An array over memory of Python's, which it keeps. It is made and destroyed with the GIL; the other functions are
/// collective and need none.
class distributed_array {
 public:
  virtual ~distributed_array() = default;

  virtual void write(const std::string& path) const = 0;
  virtual wherry::index_t read(const std::string& path) = 0;
  virtual void write(wherry::array_series& series, const std::string& name, wherry::index_t step) const = 0;
  virtual wherry::index_t read(const wherry::array_series& series, const std::string& name, wherry::index_t step) = 0;
};

/// @param arrays one for each box of this rank, the dimensions of the boxes first and then those of the components; and
///   last an array with an element, which says what elements are on a rank without boxes
/// @param written true if the arrays are read into
/// @throws error(argument) on this rank for arrays that are not as the shape says
std::unique_ptr<distributed_array> make_distributed_array(const wherry::communicator& comm,
                                                          const distributed_shape& shape, const nb::list& arrays,
                                                          bool written);

}  // namespace wherry_python
