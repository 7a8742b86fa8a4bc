#include "deep/options.hpp"

#include "harness/arguments.hpp"

namespace bench::deep {

options parse(int argc, char** argv, int rank) {
  arguments words(argc, argv);
  options result;
  result.structures = words.list("--structures", result.structures);
  result.operations = words.list("--operations", result.operations);
  result.methods = words.text("--methods");
  result.count = words.flag("--count");
  result.folder = words.text("--folder", result.folder);
  result.seconds = words.number("--seconds", result.seconds, 0, 1e6);
  result.out = words.output(rank);
  words.finish();
  return result;
}

}  // namespace bench::deep
