// bench_deep: measures and writes one record a line. bench/deep.py starts it, compares with the targets and prints
// tables.
#include "deep/options.hpp"
#include "deep/peers.hpp"
#include "deep/program.hpp"
#include "harness/json.hpp"

namespace bench::deep {
namespace {

bool measure(const options& given) {
  for (const auto& absent : {absent_boost(), absent_boost_mpi(), absent_cereal()})
    for (const auto& [name, why] : absent) record("left out").add("method", name).add("why", why).write(given.out);
  bool good = true;
  for (const auto& structure : given.structures)
    for (const auto& operation : given.operations) good = run_case(given, structure, operation) && good;
  return good;
}

}  // namespace
}  // namespace bench::deep

int main(int argc, char** argv) { return bench::deep::run_program<bench::deep::measure>(argc, argv); }
