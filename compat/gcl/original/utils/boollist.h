// GCL's own name of this header.
#pragma once

#include "../as_gcl_does.h"
