// bench_deep: measures and writes one record a line. bench/deep.py starts it, compares with the targets and prints
// tables.
#include "deep/options.hpp"
#include "deep/peers.hpp"
#include "deep/program.hpp"
#include "harness/json.hpp"
#include "harness/single_steps.hpp"

namespace bench::deep {
namespace {

bool measure(const options& given) {
  for (const auto& absent : {absent_boost(), absent_boost_mpi(), absent_cereal()})
    for (const auto& [name, why] : absent) record("left out").add("method", name).add("why", why).write(given.out);
  if (given.count && !can_count_steps()) {
    record("left out").add("method", "count").add("why", "only x86-64 under Linux can").write(given.out);
    return true;
  }
  bool good = !given.count || counting_is_right(given.out);
  for (const auto& structure : given.structures)
    for (const auto& operation : given.operations) good = run_case(given, structure, operation) && good;
  return good;
}

}  // namespace
}  // namespace bench::deep

int main(int argc, char** argv) { return bench::deep::run_program<bench::deep::measure>(argc, argv); }
