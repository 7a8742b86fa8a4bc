// bench_blocks: measures and writes one record a line. bench/blocks.py starts it, compares with the targets and prints
// tables.
#include "wherry/wherry.hpp"

#include "blocks/options.hpp"
#include "harness/arguments.hpp"

namespace bench::blocks {
namespace {

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  const options given = parse(argc, argv, mpi.rank());
  bool good = false;
  if (given.what == "fill") good = run_fill(given);
  if (given.what == "first_call") good = run_first_call(given);
  if (given.what == "redistribution") good = run_redistribution(given);
  if (given.what == "regrid") good = run_regrid(given);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return good ? 0 : 1;
}

}  // namespace

options parse(int argc, char** argv, int rank) {
  arguments words(argc, argv);
  options result;
  if (words.flag("--only-touched")) result.untouched = false;
  if (words.flag("--only-untouched")) result.touched = false;
  result.variants = words.flag("--variants");
  result.domains = words.list("--domains", result.domains);
  result.boxes = words.list("--boxes", result.boxes);
  result.components = words.list("--components", result.components);
  result.widths = words.list("--widths", result.widths);
  result.transports = words.list("--transports", result.transports);
  result.seconds = words.number("--seconds", result.seconds, 0, 1e6);
  result.what = words.text("--what", result.what);
  result.out = words.output(rank);
  words.finish();
  return result;
}

}  // namespace bench::blocks

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::blocks::run); }
