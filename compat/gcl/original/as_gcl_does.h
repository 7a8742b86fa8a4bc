// Includes what GCL's own headers include, whichever of them a program names.
#pragma once

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <iostream>
#include <string>
#include <vector>

// Without a GPU compiler CUDA's keywords have no meaning, and become empty.
#if !defined(_GCL_GPU_) && !defined(__CUDACC__) && !defined(__HIPCC__)
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#endif

#include "gcl/gcl.hpp"
