// bench_deep: measures and writes one record a line. bench/deep.py starts it, compares with the targets and prints
// tables.
#include "wherry/core/mpi.hpp"

#include "deep/options.hpp"
#include "deep/peers.hpp"
#include "harness/record.hpp"

namespace bench::deep {
namespace {

int run(int argc, char** argv) {
  options given = parse(argc, argv);
  if (rank_in(MPI_COMM_WORLD) != 0) given.out = nullptr;
  for (const auto& absent : {absent_boost(), absent_boost_mpi(), absent_cereal()})
    for (const auto& [name, why] : absent) record("left out").add("method", name).add("why", why).write(given.out);
  bool good = true;
  for (const auto& structure : given.structures)
    for (const auto& operation : given.operations) good = run_case(given, structure, operation) && good;
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace bench::deep

int main(int argc, char** argv) {
  // Without MPI_THREAD_MULTIPLE: that is where the peers' many small messages are fastest.
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const int status = wherry::run_main(argc, argv, bench::deep::run);
  MPI_Finalize();
  return status;
}
