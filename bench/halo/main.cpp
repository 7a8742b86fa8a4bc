// bench_halo: measures and writes one record a line. bench/halo.py starts it, compares with the targets and prints
// tables.
#include "wherry/wherry.hpp"

#include "halo/options.hpp"
#include "harness/arguments.hpp"

namespace bench::halo {
namespace {

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  const options given = parse(argc, argv, mpi.rank());
  bool good = true;
  if (given.what == "speed") good = run_speed(given);
  if (given.what == "count") good = run_count(given);
  if (given.what == "hybrid") good = run_hybrid(given);
  if (given.what == "lists") good = run_lists(given);
  if (given.what == "layers") good = run_layers(given);
  if (given.what == "device") good = run_device(given);
  if (given.what == "startup") run_startup(given);
  if (given.what == "generic") run_generic(given);
  if (given.what == "quiet") run_quiet(given);
  if (given.what == "marked") run_marked(given);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return good ? 0 : 1;
}

}  // namespace

options parse(int argc, char** argv, int rank) {
  arguments words(argc, argv);
  options result;
  if (words.flag("--only-touched")) result.untouched = false;
  if (words.flag("--only-untouched")) result.touched = false;
  result.by_dimension = words.flag("--by-dimension");
  auto& fields = result.shape_of_fields;
  fields.fields = static_cast<int>(words.integer("--fields", fields.fields, 1, 1000));
  fields.width = static_cast<int>(words.integer("--width", fields.width, 1, 100));
  fields.dimensions = static_cast<int>(words.integer("--dimensions", fields.dimensions, 2, 3));
  fields.single = words.flag("--float");
  result.threads = static_cast<int>(words.integer("--threads", result.threads, 1, 1000));
  result.sizes = words.list("--sizes", result.sizes);
  result.splits = words.list("--splits", result.splits);
  result.transports = words.text("--transports");
  result.seconds = words.number("--seconds", result.seconds, 0, 1e6);
  result.what = words.text("--what", result.what);
  result.out = words.output(rank);
  words.finish();
  return result;
}

}  // namespace bench::halo

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::halo::run); }
