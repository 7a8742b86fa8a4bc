// Motions of boxes: each rank sends sections of some arrays, and receives sections of others.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_redistribute(nb::module_& m);

}  // namespace wherry_python
