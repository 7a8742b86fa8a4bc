/// @file
/// Measures the phases of a step.
#pragma once

#include <mpi.h>

namespace lattice_boltzmann {

/// Adds up the seconds of the functions that it runs.
class stopwatch {
 public:
  template <class Work> void operator()(Work&& work) {
    const double began = MPI_Wtime();
    work();
    seconds_ += MPI_Wtime() - began;
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0;
};

}  // namespace lattice_boltzmann
