// Halo exchanges of fields.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_halo(nb::module_& m);

}  // namespace wherry_python
