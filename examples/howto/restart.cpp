// A solver that can be stopped and started again on any number of ranks: restart CHECKPOINT STEPS
// Every 10 steps it saves an array and the tracers of each rank. docs/howto/restart.md shows the parts between [ and ].
#include <wherry/wherry.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

namespace {

// [types
struct tracer {  // no pointers, and nothing but containers: it needs no description
  long id = 0;
  std::vector<std::array<double, 2>> path;
};
std::string tracers_at(const std::string& path, int step) { return path + ".tracers." + std::to_string(step); }
// types]

void set_start_values(wherry::x_array<double, 2>& u, std::vector<tracer>& tracers, int rank) {
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, v = values](const auto& p) { v[p] = p[0] < 24 ? 1 + 0.01 * double(p[1]) : 0; });
  if (rank == 0)
    for (long id = 0; id < 5; ++id) tracers.push_back({id, {{double(id), 0}}});
}

void advance(const wherry::x_array<double, 2>& u, wherry::x_array<double, 2>& next, std::vector<tracer>& tracers) {
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, n = number, v = values](const auto& p) {
      const auto [i, j] = p;
      next[n][p] = v(i, j) + 0.2 * (v(i - 1, j) + v(i + 1, j) + v(i, j - 1) + v(i, j + 1) - 4 * v(i, j));
    });
  for (auto& t : tracers) t.path.push_back({t.path.back()[0] + 0.5, t.path.back()[1] + 0.25 * double(t.id)});
}

}  // namespace

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  if (argc != 3) return 2;
  const std::string path = argv[1];
  const int steps = std::atoi(argv[2]);

  wherry::communicator comm(MPI_COMM_WORLD);
  const auto space = wherry::domain<2>::torus({{0, 0}, {48, 32}});
  const auto plan = wherry::decompose(space.cells, comm.size());
  wherry::x_array<double, 2> u(comm, plan, {.ghost_width = 1}), next(comm, plan, {.ghost_width = 1});
  auto fill = wherry::ghost_filler(u, space);
  std::vector<tracer> tracers;

  // [resume
  wherry::array_series series(comm, path);  // opened, or made
  const auto saved = series.steps("u");
  int step = 0;
  if (saved.empty()) {
    set_start_values(u, tracers, comm.rank());
  } else {
    step = int(saved.back());
    series.read("u", step, u);  // into the boxes of this run, whatever they were when it was written
    for (auto& [rank, theirs] : wherry::deep::load_all<std::vector<tracer>>(comm, tracers_at(path, step)))
      std::move(theirs.begin(), theirs.end(), std::back_inserter(tracers));
  }
  // resume]
  const int begin = step;
  while (step < steps) {
    fill.start(u, u);
    fill.wait();
    advance(u, next, tracers);
    std::swap(u, next);
    ++step;
    if (step % 10 != 0) continue;
    // [save
    wherry::deep::save_all(comm, tracers_at(path, step), tracers);  // first the file that the step needs,
    series.write("u", step, u);                                     // then the step
    // save]
  }

  double sum = 0, points = 0;
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, v = values](const auto& p) { sum += v[p] * double(1 + p[0] + 48 * p[1]); });
  for (const auto& t : tracers)
    for (const auto& [x, y] : t.path) points += x + y;
  sum = wherry::collective::allreduce(comm, sum);
  points = wherry::collective::allreduce(comm, points);
  if (comm.rank() == 0) std::printf("restart: from step %d to %d: %.5f, and tracers %.2f\n", begin, step, sum, points);
}
