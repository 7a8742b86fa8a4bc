#include "harness/copy_rate.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace bench {

double copy_rate(MPI_Comm comm) {
  constexpr std::size_t bytes = std::size_t{64} << 20;  // more than the caches hold
  constexpr int rounds = 7;
  std::vector<char> from(bytes, 1), to(bytes, 2);
  std::vector<double> rates;
  for (int i = 0; i < rounds; ++i) {
    MPI_Barrier(comm);
    const double began = MPI_Wtime();
    std::memcpy(to.data(), from.data(), bytes);
    double seconds = MPI_Wtime() - began;
    from[static_cast<std::size_t>(i)] = to[bytes - 1];  // so that the compiler removes no copy
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
    rates.push_back(static_cast<double>(bytes) / seconds * 1e-9);
  }
  std::nth_element(rates.begin(), rates.begin() + rounds / 2, rates.end());
  return rates[rounds / 2];
}

}  // namespace bench
