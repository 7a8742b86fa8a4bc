// bench_particles: compares moves of particles, and ghosts, with the same written by hand with MPI. The ranks form a
// ring along x. In each step some particles on each rank move one rank further. Each line of output is a record.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "particles/by_hand.hpp"

namespace bench::particles {
namespace {

struct options {
  int particles = 1'000'000, ghosts = 100'000;
  double moving = 0.01;  ///< part of the particles
  double seconds = 1;
  std::FILE* out = stdout;
};

double random(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return static_cast<double>(state >> 8) / (1 << 24);
}

swarm made(int rank, int count) {
  swarm all;
  all.resize(static_cast<std::size_t>(count));
  unsigned state = 12345u + static_cast<unsigned>(rank);
  for (std::size_t i = 0; i < all.size(); ++i)
    put(all, i,
        {rank + random(state), random(state), random(state), random(state), random(state), random(state),
         rank * 100'000'000L + static_cast<long>(i)});
  return all;
}

wherry::particle_exchange<3> exchange_of(MPI_Comm comm, int size) {
  const wherry::process_grid grid(comm, {.periodic = {true, false, false}, .extents = {size, 1, 1}});
  return {grid, {4 * size, 4, 4}, {.lower = {0, 0, 0}, .upper = {1.0 * size, 1, 1}}};
}

/// As many leave each rank as arrive, and those that arrive fill the holes: so the same places always move.
struct moving_swarm {
  swarm all;
  const std::vector<int>* runners = nullptr;
  void push() {
    for (const int i : *runners) all.x[static_cast<std::size_t>(i)] += 1;
  }
};

void report(const options& given, const std::string& what, int ranks, std::vector<standing>& all, std::size_t ours) {
  if (given.out == nullptr) return;
  std::printf("%s\n", what.c_str());
  for (const auto& by : all) std::printf("  %-24s %12.2f us\n", by.name.c_str(), median(by.us));
  for (std::size_t i = 0; i < ours; ++i)
    for (std::size_t peer = ours; peer < all.size(); ++peer) {
      const auto record = comparison_record("particles", what, ranks, all[i], all[peer]);
      if (given.out != stdout) std::fprintf(given.out, "%s\n", record.text().c_str());
    }
}

void compare_moves(const options& given, int rank, int size) {
  std::vector<int> runners;
  const auto every = static_cast<int>(1 / given.moving);
  for (int i = rank % every; i < given.particles; i += every) runners.push_back(i);
  runners.resize(static_cast<std::size_t>(given.particles / every) - 1);
  auto migrate = exchange_of(MPI_COMM_WORLD, size), by_marks = exchange_of(MPI_COMM_WORLD, size);
  bare_pass bare(MPI_COMM_WORLD);
  move_by_hand by_hand(MPI_COMM_WORLD);
  std::vector<moving_swarm> swarms(4, {made(rank, given.particles), &runners});
  const auto columns = [](auto& exchange, swarm& s) {
    exchange(wherry::by_position(s.x, s.y, s.z), s.vx, s.vy, s.vz, s.id);
  };
  const auto marked = [&](swarm& s) {
    by_marks(wherry::leavers(runners), wherry::by_position(s.x, s.y, s.z), s.vx, s.vy, s.vz, s.id);
  };
  std::vector<contender> contenders{
      {"wherry", [&] { columns(migrate, swarms[0].all); }, nullptr, [&] { swarms[0].push(); }},
      {"wherry, marked", [&] { marked(swarms[1].all); }, nullptr, [&] { swarms[1].push(); }},
      {"bare pass and copies", [&] { bare(swarms[2].all); }, nullptr, [&] { swarms[2].push(); }},
      {"by hand", [&] { by_hand(swarms[3].all); }, nullptr, [&] { swarms[3].push(); }}};
  for (int step = 0; step < 3; ++step)
    for (const auto& one : contenders) {
      one.prepare();
      one.run();
    }
  if (swarms[0].all != swarms[3].all || swarms[1].all != swarms[3].all)
    throw std::runtime_error("the moves differ from those by hand");
  auto all = contest(MPI_COMM_WORLD, contenders, given.seconds);
  report(given, std::to_string(given.particles) + " particles a rank, " + std::to_string(runners.size()) + " move",
         size, all, 2);
}

void compare_ghosts(const options& given, int rank, int size) {
  const double cutoff = 0.1;
  const auto start = made(rank, static_cast<int>(given.ghosts / (2 * cutoff)));
  auto migrate = exchange_of(MPI_COMM_WORLD, size);
  wherry::ghost_particles<3> ghosts(migrate, cutoff);
  auto ours = start, theirs = start;
  ghosts.plan(wherry::by_position(ours.x, ours.y, ours.z));
  ghosts_by_hand by_hand(MPI_COMM_WORLD, theirs, cutoff);
  if (by_hand.count() != ghosts.count())
    throw std::runtime_error("the ghosts differ from those by hand: " + std::to_string(ghosts.count()) + " and " +
                             std::to_string(by_hand.count()));
  for (auto* const s : {&ours, &theirs}) s->resize(start.size() + ghosts.count());
  const std::string what = std::to_string(ghosts.count()) + " ghosts: ";
  auto filled = contest(MPI_COMM_WORLD,
                        {{"wherry", [&] { ghosts.fill(wherry::by_position(ours.x, ours.y, ours.z)); }},
                         {"by hand", [&] { by_hand.fill(theirs.x, theirs.y, theirs.z); }}},
                        given.seconds);
  report(given, what + "positions", size, filled, 1);
  auto summed = contest(MPI_COMM_WORLD,
                        {{"wherry", [&] { ghosts.sum_back(ours.vx, ours.vy, ours.vz); }},
                         {"by hand", [&] { by_hand.sum_back(theirs.vx, theirs.vy, theirs.vz); }}},
                        given.seconds);
  report(given, what + "sums back", size, summed, 1);
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.particles = static_cast<int>(words.integer("--particles", given.particles, 1000, 100'000'000));
  given.ghosts = static_cast<int>(words.integer("--ghosts", given.ghosts, 100, 10'000'000));
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  compare_moves(given, rank, size);
  compare_ghosts(given, rank, size);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::particles

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::particles::run); }
