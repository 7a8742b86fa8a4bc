// Graphs with cycles and shared nodes, the second case study of MEL (listings 26 to 28): rank 0 makes a graph and
// one line broadcasts it. Every rank compares it with a graph that it makes by itself, writes it to a file, reads it
// back and frees it.
//
//   graph.hpp         the graph, the line that describes it to a deep copy, its four shapes
//   methods.cpp       the line that broadcasts it, and the other ways to do so
//   hand_written.cpp  the same by hand
#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "wherry/wherry.hpp"

#include "allocations.hpp"
#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "methods.hpp"

namespace {

using namespace graph;

constexpr const char* usage =
    "usage: graph [--shape S] [--nodes 2^K] [--method M] [--checkpoint FILE] [--compare] ...\n"
    "Broadcasts a graph by a deep copy; every rank compares what arrives with a graph it makes by itself.\n"
    "  --shape S          tree, ring, random or full: every node points to all (default random)\n"
    "  --nodes N          a number, or 2^K (default 2^10)\n"
    "  --degree N         edges of a random graph's node (default 8)\n"
    "  --seed N           of the random graph (default 1)\n"
    "  --method M         wherry, buffered, arena, hand (default wherry)\n"
    "  --checkpoint FILE  each rank writes what arrived to FILE.RANK, all together to FILE, and reads it back\n"
    "  --compare          time all methods beside each other\n"
    "  --seconds T        time for the comparison (default 5; 0: a few rounds)\n"
    "  --json FILE        write the results to FILE\n";

struct options {
  std::string shape_name, checkpoint, json;
  shape what = shape::random;
  int nodes = 1024, degree = 8;
  std::uint64_t seed = 1;
  const method* how = nullptr;
  bool compares = false;
  double seconds = 5;
};

int parse_nodes(const std::string& given, int most) {
  int number = 0, exponent = 0;
  char more = 0;
  if (std::sscanf(given.c_str(), "2^%d%c", &exponent, &more) == 1 && exponent >= 0 && exponent < 31)
    number = 1 << exponent;
  else if (std::sscanf(given.c_str(), "%d%c", &number, &more) != 1)
    number = 0;
  if (number < 1 || number > most)
    throw bench::usage_error(bench::text("--nodes is '", given, "', expected a number from 1 to ", most, ", or 2^K"));
  return number;
}

shape parse_shape(const std::string& name) {
  try {
    return shape_named(name);
  } catch (const std::invalid_argument& failure) {
    throw bench::usage_error(failure.what());
  }
}

options parse(bench::arguments& words) {
  options given;
  given.shape_name = words.text("--shape", "random");
  given.what = parse_shape(given.shape_name);
  given.nodes = parse_nodes(words.text("--nodes", "2^10"), given.what == shape::full ? 1 << 15 : 1 << 27);
  given.degree = static_cast<int>(words.integer("--degree", 8, 1, 1000));
  given.seed = static_cast<std::uint64_t>(words.integer("--seed", 1, 0, 1000000000));
  given.how = &words.one_of(methods(), "--method", "wherry");
  given.checkpoint = words.text("--checkpoint");
  given.compares = words.flag("--compare");
  given.seconds = words.number("--seconds", 5, 0, 3600);
  given.json = words.text("--json");
  words.finish();
  return given;
}

node* make(const options& given) { return make_graph(given.what, given.nodes, given.degree, given.seed); }

// ------------------------------------------------------------------------------------------------------------ checking

bool on_all_ranks(bool mine) {
  int all = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

template <class Step> double timed(Step step) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  step();
  double seconds = MPI_Wtime() - began;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

/// The times of writing a graph to a file and of reading it back.
struct file_trip {
  double writing = 0, reading = 0;  ///< seconds of the slowest rank
  bool right = true;
};

template <class Write, class Read> file_trip write_and_read(Write write, Read read, const node* expected) {
  file_trip result;
  node* again = nullptr;
  result.writing = timed(write);
  result.reading = timed([&] { again = read(); });
  result.right = on_all_ranks(isomorphic(again, expected));
  release(again);
  return result;
}

struct trip {
  double broadcasting = 0;  ///< seconds of the slowest rank
  bool broadcast_right = false;
  file_trip alone, together;
  bool right() const { return broadcast_right && alone.right && together.right; }
};

/// Collective. Makes a graph, does everything with it that the program shows, and frees it.
trip make_a_trip(const wherry::communicator& comm, const options& given) {
  trip result;
  node* expected = make(given);
  node* first = comm.rank() == 0 ? make(given) : nullptr;
  result.broadcasting = timed([&] { given.how->broadcast(first, MPI_COMM_WORLD); });
  result.broadcast_right = on_all_ranks(isomorphic(first, expected));
  if (const auto& file = given.checkpoint; !file.empty()) {
    const auto own = bench::text(file, '.', comm.rank());
    result.alone =
        write_and_read([&] { write_checkpoint(own, first); }, [&] { return read_checkpoint(own); }, expected);
    result.together = write_and_read([&] { write_together(file, first, MPI_COMM_WORLD); },
                                     [&] { return read_together(file, MPI_COMM_WORLD); }, expected);
  }
  comm.rank() == 0 ? release(first) : given.how->release(first);
  destroy_graph(expected);
  return result;
}

// ---------------------------------------------------------------------------------------------------------- comparison

/// One way to broadcast, which runs again and again: rank 0 sends its graph, and the other ranks get a new graph each
/// time.
struct attempt {
  const method* how;
  node* sent;  ///< null on all ranks but 0
  node* arrived = nullptr;

  node*& latest() { return sent != nullptr ? sent : arrived; }
  void release() {
    if (arrived != nullptr) how->release(arrived);
  }
};

/// Collective. Times all methods. False if one of them did not bring the right graph.
bool compare(const wherry::communicator& comm, const options& given) {
  node* expected = make(given);
  node* sent = comm.rank() == 0 ? make(given) : nullptr;
  std::vector<attempt> attempts;
  for (const auto& how : methods()) attempts.push_back({&how, sent});
  std::vector<bench::contender> contenders;
  for (auto& one : attempts)
    contenders.push_back({.name = one.how->text,
                          .run = [&one] { one.how->broadcast(one.latest(), MPI_COMM_WORLD); },
                          .prepare = [&one] { one.release(); }});
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, given.seconds);

  bool right = true;
  for (auto& one : attempts) right = on_all_ranks(isomorphic(one.latest(), expected)) && right;
  for (auto& one : attempts) one.release();
  destroy_graph(expected);
  if (comm.rank() != 0) return right;
  destroy_graph(sent);
  const std::vector<bench::pairing> pairs{{0, 3}, {1, 3}, {2, 3}};
  bench::print_standings(standings, pairs);
  std::printf("lines for communication: %d (Wherry), %d (by hand)\n", LINES_OURS, LINES_BY_HAND);
  std::printf("%s\n", right ? "every method brought the same graph" : "A METHOD BROUGHT A WRONG GRAPH");
  if (given.json.empty()) return right;
  std::vector<bench::json> records;
  const auto what = bench::text("graph, ", given.shape_name, ", ", given.nodes, " nodes");
  for (const auto& [ours, peer] : pairs)
    records.push_back(bench::comparison_record("graph", what, comm.size(), standings[ours], standings[peer])
                          .add("correct", right)
                          .add("lines", LINES_OURS)
                          .add("peer_lines", LINES_BY_HAND));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(given.json, records);
  return right;
}

// ----------------------------------------------------------------------------------------------------------------- all

void report(const wherry::communicator& comm, const options& given, const trip& found, bool all_freed) {
  std::printf("graph: %s, %d nodes, %d rank%s\n", given.shape_name.c_str(), given.nodes, comm.size(),
              comm.size() == 1 ? "" : "s");
  std::printf("broadcast by %s in %.3f ms: %s\n", given.how->text.c_str(), 1e3 * found.broadcasting,
              found.broadcast_right ? "isomorphic to each rank's own" : "WRONG");
  const auto report_file = [](const char* name, const file_trip& one) {
    std::printf("%s written in %.3f ms, read in %.3f ms: %s\n", name, 1e3 * one.writing, 1e3 * one.reading,
                one.right ? "isomorphic" : "WRONG");
  };
  if (!given.checkpoint.empty()) {
    report_file("a file a rank", found.alone);
    report_file("one file for all", found.together);
  }
  std::printf("%s\n", all_freed ? "all memory was given back" : "MEMORY WAS NOT GIVEN BACK");
}

/// Afterwards the library has all the memory that it keeps for later calls: small pieces that it collects one by one,
/// and the buffers for a graph of this size.
void warm_up(const wherry::communicator& comm, const options& given) {
  auto small = given;
  small.nodes = std::min(given.nodes, 16);
  small.checkpoint.clear();
  for (int k = 0; k < 20; ++k) make_a_trip(comm, small);
  make_a_trip(comm, given);
}

int run(bench::arguments& words) {
  const auto given = parse(words);
  const wherry::communicator comm(MPI_COMM_WORLD);
  warm_up(comm, given);
  const long before = live_allocations();
  const auto found = make_a_trip(comm, given);
  const bool all_freed = on_all_ranks(live_allocations() == before);
  bool right = found.right() && all_freed;
  if (comm.rank() == 0) report(comm, given, found, all_freed);
  if (given.compares) right = compare(comm, given) && right;
  if (comm.rank() == 0) std::printf("%s\n", right ? "graph: verified" : "graph: NOT VERIFIED");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
