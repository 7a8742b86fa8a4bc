// Elements for ranks that do not know what will come.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_sparse(nb::module_& m);

}  // namespace wherry_python
