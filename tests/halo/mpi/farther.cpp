#include "farther.cu"
