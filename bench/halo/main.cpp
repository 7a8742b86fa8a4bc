// bench_halo: measures and writes one record a line. bench/halo.py starts it, compares with the targets and prints
// tables.
#include <stdexcept>

#include "wherry/wherry.hpp"

#include "halo/options.hpp"
#include "harness/listed.hpp"

namespace bench::halo {
namespace {

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  options given = parse(argc, argv);
  if (mpi.rank() != 0) given.out = nullptr;
  bool good = true;
  if (given.what == "speed") good = run_speed(given);
  if (given.what == "startup") run_startup(given);
  if (given.what == "generic") run_generic(given);
  if (given.what == "quiet") run_quiet(given);
  if (given.what == "marked") run_marked(given);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return good ? 0 : 1;
}

}  // namespace

options parse(int argc, char** argv) {
  options result;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--touch") {
      result.touch = true;
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument(name + " wants a value, or is unknown");
    const std::string value = argv[++i];
    if (name == "--sizes")
      result.sizes = listed<int>(value);
    else if (name == "--splits")
      result.splits = listed<std::string>(value);
    else if (name == "--transports")
      result.transports = value;
    else if (name == "--seconds")
      result.seconds = std::stod(value);
    else if (name == "--what")
      result.what = value;
    else if (name == "--out")
      result.out = std::fopen(value.c_str(), "w");
    else
      throw std::invalid_argument("unknown option " + name);
  }
  if (result.out == nullptr) throw std::invalid_argument("cannot write the file of --out");
  return result;
}

}  // namespace bench::halo

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::halo::run); }
