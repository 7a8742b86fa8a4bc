// Collectives of arrays, blocking and split-phase.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_collective(nb::module_& m);

}  // namespace wherry_python
