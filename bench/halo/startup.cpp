// Measures the time to plan and bind the exchange, and counts the lines that a user of Wherry writes for it.
#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "harness/json.hpp"
#include "harness/ratios.hpp"
#include "harness/timing.hpp"

namespace bench::halo {
namespace {

/// The whole program text of a halo exchange, which also serves as a warm-up.
void as_a_user(int n) {
  // begin: what a user writes
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true, true}});
  wherry::field<double, 3> u(grid.comm(), {n, n, n}, 3), v(grid.comm(), {n, n, n}, 3), w(grid.comm(), {n, n, n}, 3);
  wherry::halo_exchange exchange(grid, u, v, w);
  exchange();
  // end
}

double slowest_ms(const problem& p, double began_us) {
  double mine = (now_us() - began_us) * 1e-3, most = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, p.comm);
  return most;
}

}  // namespace

void run_startup(const options& given) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const problem p = make_problem(MPI_COMM_WORLD, {}, given.sizes.front(), grid_for(given.splits.front(), ranks));
  MPI_Barrier(p.comm);
  double began = now_us();
  as_a_user(p.n);
  const double first = slowest_ms(p, began);

  const auto grid = grid_of(p);
  our_fields fields_of_ours(grid, p, true);
  for (const auto& name : transports(given.transports)) {
    std::vector<double> times;
    try {
      for (int i = 0; i < 21; ++i) {
        MPI_Barrier(p.comm);
        began = now_us();
        const auto bound = bind_exchange(grid, fields_of_ours.halos, name);
        times.push_back(slowest_ms(p, began));
      }
    } catch (const wherry::error&) {
      continue;  // this transport cannot do it; the comparison gives the reason
    }
    record("startup")
        .add("method", name)
        .add("n", p.n)
        .add("ranks", ranks)
        .add("ms", quantile(times, 0.5))
        .add("spread", (quantile(times, 0.75) - quantile(times, 0.25)) / quantile(times, 0.5))
        .add("first_ms", first)
        .write(given.out);
  }
}

}  // namespace bench::halo
