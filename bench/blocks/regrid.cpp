// Regridding: n³ cells in boxes of b³ get other owners. Measures the times to make the new array with its owners, to
// copy the old array to it (plan, bind and move, once, as a regrid does) and to fill its ghost cells for the first
// time. Beside each stands the part that no program can avoid.
#include <optional>
#include <utility>

#include "blocks/options.hpp"
#include "blocks/ours.hpp"
#include "blocks/plain_loops.hpp"
#include "harness/json.hpp"
#include "harness/ratios.hpp"
#include "harness/timing.hpp"

namespace bench::blocks {
namespace {

using array = wherry::x_array<double, 3>;

double slowest(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/// The times of one kind.
struct series {
  std::vector<double> us;

  template <class Work> void add(Work&& work) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = now_us();
    work();
    us.push_back(slowest(now_us() - began));
  }
  double median() const { return quantile(us, 0.5); }
};

bool measure_one(const options& given, const cubes& work) {
  const wherry::communicator comm(work.comm);
  const auto space = wherry::domain<3>::torus(wherry::box_of_extents<3>(wherry::filled<3>(work.n)));
  const auto before = floor_plan_of(work);
  // Half of each rank's boxes go to the next rank, and those of the last rank to the first; on one rank all boxes stay.
  wherry::owner_map owners(before.owners().begin(), before.owners().end());
  for (std::size_t i = 0; i < owners.size(); i += 2) owners[i] = (owners[i] + 1) % comm.size();
  const std::vector<wherry::box<3>> boxes(before.boxes().begin(), before.boxes().end());
  const wherry::x_array_options<3> how{.ghost_width = work.width};
  array old(comm, before, how);
  for (const auto& block : old.blocks())
    for_each_point(block.core, [&](const wherry::point<3>& p) { block.values[p] = static_cast<double>(p[0] + p[2]); });

  series arrays, memory, copy, again, loops, fill, filled;
  long wrong = 0;
  for (int round = 0; round < 9; ++round) {
    std::optional<array> made;
    arrays.add([&] { made.emplace(comm, wherry::floor_plan<3>(boxes, owners), how); });
    memory.add([&] { static_cast<void>(std::vector<double>(made->shape().bytes.front() / sizeof(double))); });
    std::optional<wherry::mover> move;
    copy.add([&] {
      move.emplace(wherry::redistribution(old.plan(), made->plan()), old, *made);
      (*move)();
    });
    again.add([&] { (*move)(); });
    const plain_loops by_hand(old, *made);
    loops.add([&] { by_hand(); });
    std::optional<wherry::mover> ghosts;
    fill.add([&] {
      ghosts.emplace(wherry::halo_motion<3>(made->plan(), work.width, space), *made, *made);
      (*ghosts)();
    });
    filled.add([&] { (*ghosts)(); });
    for (const auto& block : made->blocks())
      for_each_point(block.core, [&](const wherry::point<3>& p) {
        wrong += block.values[p] == static_cast<double>(p[0] + p[2]) ? 0 : 1;
      });
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (wrong != 0) {
    record("wrong").add("method", "regrid").add("n", work.n).add("cells", wrong).write(given.out);
    return false;
  }
  record("regrid")
      .add("n", work.n)
      .add("b", work.b)
      .add("ranks", comm.size())
      .add("arrays_us", arrays.median())
      .add("memory_us", memory.median())  // as many bytes, zeroed
      .add("copy_us", copy.median())
      .add("copy_again_us", again.median())
      .add("loops_us", loops.median())  // for cells that stay on their rank
      .add("fill_us", fill.median())
      .add("fill_again_us", filled.median())
      .write(given.out);
  return true;
}

}  // namespace

bool run_regrid(const options& given) {
  bool good = true;
  for (const int n : given.domains)
    for (const int b : given.boxes) good = measure_one(given, cubes(MPI_COMM_WORLD, n, b, 1, 1)) && good;
  return good;
}

}  // namespace bench::blocks
