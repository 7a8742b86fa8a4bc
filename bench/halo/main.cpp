// bench_halo: measures and writes one record a line. bench/halo.py starts it, compares with the targets and prints
// tables.
#include <stdexcept>

#include "wherry/wherry.hpp"

#include "halo/options.hpp"
#include "harness/command_line.hpp"

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
  for_each_option(argc, argv, {{"--touch", &result.touch}}, [&](const std::string& name, const std::string& value) {
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
      result.out = opened(value);
    else
      return false;
    return true;
  });
  return result;
}

}  // namespace bench::halo

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::halo::run); }
