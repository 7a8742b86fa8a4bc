// Measures the cost of the first call (motion plan, inspector and bind) beside one exchange of the same work.
#include "blocks/options.hpp"
#include "blocks/ours.hpp"
#include "harness/json.hpp"
#include "harness/ratios.hpp"
#include "harness/timing.hpp"

namespace bench::blocks {
namespace {

double slowest(double mine, MPI_Comm comm) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
  return all;
}

void measure_one(const options& given, const cubes& work) {
  const wherry::communicator comm(work.comm);
  wherry::x_array<double, 3> u(comm, floor_plan_of(work), {.ghost_width = work.width, .components = work.components});
  const auto space = wherry::domain<3>::torus(wherry::box_of_extents<3>(wherry::filled<3>(work.n)));
  std::vector<double> planning, binding, exchanging;
  for (int round = 0; round < 15; ++round) {
    MPI_Barrier(work.comm);
    const double began = now_us();
    const auto plan = wherry::halo_motion<3>(u.plan(), work.width, space).plan(comm.rank());
    const double planned = now_us();
    wherry::mover move(plan, u, u);
    const double bound = now_us();
    planning.push_back(slowest(planned - began, work.comm));
    binding.push_back(slowest(bound - planned, work.comm));
    for (int i = 0; i < 5; ++i) {
      MPI_Barrier(work.comm);
      const double start = now_us();
      move();
      exchanging.push_back(slowest(now_us() - start, work.comm));
    }
  }
  const double one = quantile(exchanging, 0.5);
  record("first call")
      .add("n", work.n)
      .add("b", work.b)
      .add("components", work.components)
      .add("width", work.width)
      .add("ranks", work.size)
      .add("plan_us", quantile(planning, 0.5))
      .add("bind_us", quantile(binding, 0.5))
      .add("exchange_us", one)
      .add("spread", (quantile(binding, 0.75) - quantile(binding, 0.25)) / quantile(binding, 0.5))
      .write(given.out);
}

}  // namespace

bool run_first_call(const options& given) {
  for (const int n : given.domains)
    for (const int b : given.boxes)
      for (const int components : given.components)
        for (const int width : given.widths) measure_one(given, cubes(MPI_COMM_WORLD, n, b, components, width));
  return true;
}

}  // namespace bench::blocks
