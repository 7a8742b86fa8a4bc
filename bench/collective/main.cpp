// bench_collective: every implementation of every collective beside MPI's own call, by size, in one run. Buffers are
// ordinary memory and rewritten before each call; what is timed are the calls. One record a line.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "collective/cases.hpp"
#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/machine.hpp"

namespace bench::collective {
namespace {

using wherry::collective::kind;

struct options {
  std::vector<std::string> collectives{
      "barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall", "gather", "scatter", "reduce_scatter_block",
      "scan"};
  std::vector<int> sizes{8, 512, 4096, 32768, 262144, 1048576, 4194304};
  std::vector<std::string> implementations;  // none: all that can
  double seconds = 0.5;
  std::FILE* out = stdout;
};

int calls_of(std::size_t bytes) { return bytes <= 4096 ? 200 : bytes <= 65536 ? 40 : bytes <= 524288 ? 8 : 2; }

/// MPI's own as a program calls it: what all are compared with.
void call_mpi_directly(const wherry::collective::call& c) {
  const auto n = static_cast<int>(c.receive_count);
  switch (c.kind) {
    case kind::barrier:
      MPI_Barrier(c.comm);
      return;
    case kind::bcast:
      MPI_Bcast(c.receive, n, c.receive_type, c.root, c.comm);
      return;
    case kind::gather:
      MPI_Gather(c.send, n, c.send_type, c.receive, n, c.receive_type, c.root, c.comm);
      return;
    case kind::scatter:
      MPI_Scatter(c.send, n, c.send_type, c.receive, n, c.receive_type, c.root, c.comm);
      return;
    case kind::reduce:
      MPI_Reduce(c.send, c.receive, n, c.send_type, c.op, c.root, c.comm);
      return;
    case kind::allgather:
      MPI_Allgather(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm);
      return;
    case kind::allreduce:
      MPI_Allreduce(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::reduce_scatter_block:
      MPI_Reduce_scatter_block(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::scan:
      MPI_Scan(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::exscan:
      MPI_Exscan(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::alltoall:
      MPI_Alltoall(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm);
      return;
    default:
      throw std::runtime_error("no such collective here");
  }
}

struct racer {
  std::string name;
  std::function<void(const wherry::collective::call&)> run;
  double seconds = 0;
};

/// Seconds of a call, from the share of the time of a whole run that was spent in calls.
std::vector<standing> per_call(std::vector<standing> all, int calls) {
  for (auto& one : all)
    for (std::size_t i = 0; i < one.us.size(); ++i) one.us[i] *= one.waiting[i] / calls;
  return all;
}

void race(const options& given, kind what, std::size_t bytes) {
  repeated_call repeated(what, MPI_COMM_WORLD, bytes);
  std::vector<racer> racers;
  racers.push_back({"auto", [](const auto& c) { wherry::collective::run(c); }});
  racers.push_back({"MPI", call_mpi_directly});
  for (const auto& row : wherry::collective::implementations_there_are()) {
    const auto& wanted = given.implementations;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), row.name) == wanted.end()) continue;
    if (!wherry::collective::obstacle(repeated.call(), row.name).empty()) continue;
    racers.push_back({std::string(row.name), [name = row.name](const auto& c) { wherry::collective::run(c, name); }});
  }
  const int calls = calls_of(bytes);
  std::vector<contender> contenders;
  for (auto& one : racers) {
    one.seconds += repeated.time(3, one.run);
    if (!repeated.is_right()) throw std::runtime_error(one.name + ": wrong result");
    contenders.push_back(
        {one.name, [&] { one.seconds += repeated.time(calls, one.run); }, [&] { return one.seconds; }});
  }
  const auto all = per_call(contest(MPI_COMM_WORLD, contenders, given.seconds), calls);
  if (given.out == nullptr) return;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto title = std::string(name_of(what)) + " " + std::to_string(bytes);
  std::printf("%s bytes, %d ranks\n", title.c_str(), ranks);
  for (const auto& one : all)
    std::printf("  %-20s %12.2f us, ratio to MPI %.2f\n", one.name.c_str(), median(one.us),
                median(one.us) / median(all[1].us));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 1) continue;
    const auto record = comparison_record("collective", title, ranks, all[i], all[1]);
    if (given.out != stdout) std::fprintf(given.out, "%s\n", record.text().c_str());
  }
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.collectives = words.list("--collectives", given.collectives);
  given.sizes = words.list("--sizes", given.sizes);
  given.implementations = words.list("--implementations", given.implementations);
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  for (const auto& name : given.collectives) {
    const auto what = wherry::collective::kind_named(name);
    if (!what) throw usage_error("there is no collective '" + name + "'");
    for (const int bytes : given.sizes) {
      race(given, *what, static_cast<std::size_t>(bytes));
      if (*what == kind::barrier) break;
    }
  }
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::collective

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::collective::run); }
