// What GCL's own headers bring along, whichever of them is included.
#pragma once

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <iostream>
#include <string>
#include <vector>

// Without a GPU the words of CUDA's compiler are nothing.
#if !defined(_GCL_GPU_) && !defined(__CUDACC__) && !defined(__HIPCC__)
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#endif

#include "gcl/gcl.hpp"
