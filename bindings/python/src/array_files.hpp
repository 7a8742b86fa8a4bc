// Arrays in files: written and read by all ranks together, or read by one process.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_array_files(nb::module_& m);

}  // namespace wherry_python
