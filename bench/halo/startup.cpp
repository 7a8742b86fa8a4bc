#include "halo/options.hpp"
namespace bench::halo {
void run_startup(const options&) {}
void run_generic(const options&) {}
void run_quiet(const options&) {}
}  // namespace bench::halo
