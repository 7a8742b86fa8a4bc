// bench_blocks: measures and writes one record a line. bench/blocks.py starts it, compares with the targets and prints
// tables.
#include <stdexcept>

#include "wherry/wherry.hpp"

#include "blocks/options.hpp"
#include "harness/command_line.hpp"

namespace bench::blocks {
namespace {

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  options given = parse(argc, argv);
  if (mpi.rank() != 0) given.out = nullptr;
  bool good = false;
  if (given.what == "fill") good = run_fill(given);
  if (given.what == "first_call") good = run_first_call(given);
  if (given.what == "redistribution") good = run_redistribution(given);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return good ? 0 : 1;
}

}  // namespace

options parse(int argc, char** argv) {
  options result;
  const command_flags flags{{"--touch", &result.touch}, {"--variants", &result.variants}};
  for_each_option(argc, argv, flags, [&](const std::string& name, const std::string& value) {
    if (name == "--domains")
      result.domains = listed<int>(value);
    else if (name == "--boxes")
      result.boxes = listed<int>(value);
    else if (name == "--components")
      result.components = listed<int>(value);
    else if (name == "--widths")
      result.widths = listed<int>(value);
    else if (name == "--transports")
      result.transports = listed<std::string>(value);
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

}  // namespace bench::blocks

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::blocks::run); }
