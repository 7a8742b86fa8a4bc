// GCL's own name of this header.
#pragma once

#include "gcl/gcl.hpp"
