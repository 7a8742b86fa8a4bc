// The headers of compat that have no library.
#include <MEL.hpp>
#include <MEL_deepcopy.hpp>
#include <gcl/gcl.hpp>
#include <kelp/kelp.hpp>
#include <wherry/wherry.hpp>

int main() {}
