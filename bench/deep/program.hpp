/// @file
/// The common part of the programs of bench/deep.
#pragma once

#include "wherry/core/mpi.hpp"

#include "deep/carry.hpp"
#include "deep/options.hpp"

namespace bench::deep {

/// Begins MPI, reads the command line, lets `Measure` write its records and ends MPI. @return the exit status, 1 if
/// `Measure` returned false
template <bool (*Measure)(const options&)> int run_program(int argc, char** argv) {
  // Starts MPI without MPI_THREAD_MULTIPLE, because the peers' many small messages are fastest then.
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const int status = wherry::run_main(argc, argv, [](int count, char** words) {
    const options given = parse(count, words, rank_in(MPI_COMM_WORLD));
    const bool good = Measure(given);
    if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
    return good ? 0 : 1;
  });
  MPI_Finalize();
  return status;
}

}  // namespace bench::deep
