// The headers of compat that have no library.
#include <gcl/gcl.hpp>
#include <kelp/kelp.hpp>
#include <wherry/wherry.hpp>

#include <MEL.hpp>
#include <MEL_deepcopy.hpp>

int main() {}
