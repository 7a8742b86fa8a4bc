// Exchanges by lists of indices: unstructured meshes and sparse matrices.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_index(nb::module_& m);

}  // namespace wherry_python
