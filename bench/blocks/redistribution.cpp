// Redistribution: moves the same cells to other boxes, which are all on this rank, or half of which are on another
// rank. The case on one rank is compared with plain loops, in Wherry's memory and in the user's.
#include "blocks/options.hpp"
#include "blocks/ours.hpp"
#include "blocks/plain_loops.hpp"
#include "harness/steady.hpp"

namespace bench::blocks {
namespace {

/// Makes a floor plan of n³ cells in `count` slabs along `axis`; slab i belongs to rank `owner(i)`.
template <class Owner> wherry::floor_plan<3> slabs(int n, std::size_t axis, int count, Owner owner) {
  wherry::floor_plan<3> plan;
  for (int i = 0; i < count; ++i) {
    auto b = wherry::box_of_extents<3>(wherry::filled<3>(n));
    b.lower[axis] = static_cast<long>(i) * n / count;
    b.upper[axis] = static_cast<long>(i + 1) * n / count;
    plan.add(b, owner(i));
  }
  return plan;
}

void fill_with_places(wherry::x_array<double, 3>& u, int n) {
  for (const auto& block : u.blocks())
    for_each_point(block.core, [&](const wherry::point<3>& p) {
      block.values[p] = static_cast<double>((p[2] * n + p[1]) * n + p[0]);
    });
}

long count_wrong_places(const wherry::x_array<double, 3>& u, int n, MPI_Comm comm) {
  long wrong = 0, all = 0;
  for (const auto& block : u.blocks())
    for_each_point(block.core, [&](const wherry::point<3>& p) {
      wrong += block.values[p] == static_cast<double>((p[2] * n + p[1]) * n + p[0]) ? 0 : 1;
    });
  MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, comm);
  return all;
}

bool measure_one(const options& given, int n, placement_probe& probe) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size(), count = 4 * ranks;
  // Moves from slabs along z to slabs along y, in the same halves of z. No data leaves its rank if the destination is
  // cut in the same way, and half of the data does if the destination's halves are dealt in turn.
  const auto from = slabs(n, 2, count, [&](int i) { return i * ranks / count; });
  const auto same = slabs(n, 2, 2 * count, [&](int i) { return i * ranks / (2 * count); });
  const auto turned = slabs(n, 2, 2 * count, [&](int i) { return (i * ranks / (2 * count) + i % 2) % ranks; });
  wherry::x_array<double, 3> u(comm, from), local(comm, same), mixed(comm, turned);
  wherry::mover stay(wherry::redistribution(from, same), u, local);
  wherry::mover half(wherry::redistribution(from, turned), u, mixed);
  users_array theirs(comm, from), theirs_too(comm, same);
  wherry::mover users(wherry::redistribution(from, same), theirs.values, theirs_too.values);
  const plain_loops loops(u, local), users_loops(theirs.values, theirs_too.values);
  fill_with_places(u, n);
  fill_with_places(theirs.values, n);
  stay();
  half();
  users();
  const long wrong = count_wrong_places(local, n, MPI_COMM_WORLD) + count_wrong_places(mixed, n, MPI_COMM_WORLD) +
                     count_wrong_places(theirs_too.values, n, MPI_COMM_WORLD);
  if (wrong != 0) {
    record("wrong").add("method", "redistribution").add("n", n).add("cells", wrong).write(given.out);
    return false;
  }
  const auto measured = measure_steadily(probe, MPI_COMM_WORLD,
                                         {{"all local", "ours", [&] { stay(); }, {}},
                                          {"half remote", "ours", [&] { half(); }, {}},
                                          {"plain loops", "peer", [&] { loops(); }, {}},
                                          {"all local, users' memory", "ours", [&] { users(); }, {}},
                                          {"plain loops, users' memory", "peer", [&] { users_loops(); }, {}}},
                                         {.seconds = given.seconds});
  json about = record("redistribution");
  about.add("n", n).add("ranks", ranks).add("transport", half.transport());
  about.add("local_us", measured.timings[0].median).add("half_us", measured.timings[1].median);
  about.add("loops_us", measured.timings[2].median);
  about.add("users_us", measured.timings[3].median).add("users_loops_us", measured.timings[4].median);
  about.add("spread", std::max(measured.timings[0].spread(), measured.timings[1].spread()));
  measured.describe(about);
  about.write(given.out);
  return true;
}

}  // namespace

bool run_redistribution(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  bool good = true;
  for (const int n : given.domains) good = measure_one(given, n, probe) && good;
  return good;
}

}  // namespace bench::blocks
