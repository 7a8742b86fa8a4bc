// bench_notify: compares notified one-sided writes between two ranks with MPI's messages, MPI's puts and hand-written
// shared memory. It measures half a round trip by size and the rate of many small writes, and compares collectives of
// groups with MPI's. Each line of output is a record.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/machine.hpp"
#include "notify/contenders.hpp"

namespace bench::notify {
namespace {

struct options {
  std::vector<int> sizes{8, 64, 512, 4096, 16384, 65536, 262144, 1048576};
  int words = 1000;
  double seconds = 1;
  std::FILE* out = stdout;
};

/// The number of round trips that take about a fifth of a millisecond or more.
int trips_of(std::size_t bytes) { return bytes <= 4096 ? 400 : bytes <= 65536 ? 60 : 10; }

/// The cost of a message depends on the place of its cache lines. So, as in a program, all data that is sent is written
/// before, and all data that arrives is read.
enum class use { ends, all };

bool are_all(const std::byte* come, std::size_t bytes, std::byte expected) {
  std::uint64_t wanted = 0, word = 0, wrong = 0;
  std::memset(&wanted, static_cast<int>(expected), sizeof wanted);
  for (std::size_t at = 0; at + sizeof word <= bytes; at += sizeof word) {
    std::memcpy(&word, come + at, sizeof word);
    wrong |= word ^ wanted;
  }
  return wrong == 0;
}

/// Makes several round trips. Every message is different, and its first and last byte, or all bytes, are checked.
void ping_pong(means& by, int rank, std::vector<std::byte>& out, int trips, use what) {
  const auto check = [&](const std::byte* come, std::byte expected) {
    if (come[0] != expected || come[out.size() - 1] != expected ||
        (what == use::all && !are_all(come, out.size(), expected)))
      throw std::runtime_error(by.name + ": wrong bytes");
  };
  for (int i = 0; i < trips; ++i) {
    const auto value = static_cast<std::byte>(i % 251 + 1);
    if (what == use::all) std::memset(out.data(), static_cast<int>(value), out.size());
    out.front() = out.back() = value;
    if (rank == 0) by.send(out.data());
    check(by.receive(), value);
    if (rank == 1) by.send(out.data());
  }
}

/// @param per number of operations that were timed together; the printed and recorded time is that of one
void print(std::FILE* out, std::vector<standing> all, const std::string& what, double per, const char* unit) {
  if (out == nullptr) return;
  std::printf("%s\n", what.c_str());
  for (auto& one : all)
    for (double& us : one.us) us /= per;
  const double ours = median(all.front().us);
  for (const auto& one : all) {
    const double us = median(one.us);
    std::printf("  %-24s %12.1f ns %s, ratio of '%s' to it %.2f\n", one.name.c_str(), 1000 * us, unit,
                all.front().name.c_str(), ours / us);
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto record = comparison_record("notify", what, 2, all.front(), all[i]);
    if (out != stdout) std::fprintf(out, "%s\n", record.text().c_str());
  }
}

/// Writes and reads a buffer like the contenders that use all bytes, and sends nothing. The times of those contenders
/// include this.
means nobody(std::vector<std::byte>& out) {
  return {"written and read only", [](const std::byte*) {},
          [&out] { return static_cast<const std::byte*>(out.data()); }};
}

void half_round_trips(MPI_Comm pair, const options& given, std::size_t bytes, use what) {
  int rank = 0;
  MPI_Comm_rank(pair, &rank);
  auto all = all_means(pair, bytes);
  std::vector<std::byte> out(bytes, std::byte{1});
  if (what == use::all) all.push_back(nobody(out));
  const int trips = trips_of(bytes);
  std::vector<contender> contenders;
  for (auto& by : all) contenders.push_back({by.name, [&, trips] { ping_pong(by, rank, out, trips, what); }});
  print(given.out, contest(pair, contenders, given.seconds),
        std::to_string(bytes) + (what == use::all ? " bytes, written and read whole" : " bytes, half a round trip"),
        2.0 * trips, "each");
}

void bursts(MPI_Comm pair, const options& given) {
  auto all = all_bursts(pair, given.words);
  std::vector<contender> contenders;
  constexpr int times = 40;  // a burst takes some microseconds, like the difference between the starts of two ranks
  for (auto& one : all)
    contenders.push_back({one.name, [&one] {
                            for (int i = 0; i < times; ++i) one.run();
                          }});
  print(given.out, contest(pair, contenders, given.seconds), "words of 8 bytes, each notified of", times * given.words,
        "a word");
}

void collectives(MPI_Comm comm, const options& given, int doubles) {
  constexpr int calls = 200;
  auto all = all_collectives(comm, doubles);
  std::vector<contender> contenders;
  for (auto& one : all) contenders.push_back({one.name, [&one] { one.run(calls); }});
  const auto what =
      doubles == 0 ? std::string("barrier of a group") : "allreduce of " + std::to_string(8 * doubles) + " bytes";
  print(given.out, contest(comm, contenders, given.seconds), what, calls, "a call");
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.sizes = words.list("--sizes", given.sizes);
  given.words = static_cast<int>(words.integer("--words", given.words, 1, 100'000));
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  if (mpi.size() < 2) throw usage_error("bench_notify needs two ranks");
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, mpi.rank() < 2 ? 0 : MPI_UNDEFINED, mpi.rank(), &pair);
  if (pair == MPI_COMM_NULL) return 0;
  for (const auto what : {use::all, use::ends})
    for (const int bytes : given.sizes) half_round_trips(pair, given, static_cast<std::size_t>(bytes), what);
  bursts(pair, given);
  for (const int doubles : {0, 1, 8, 255}) collectives(pair, given, doubles);
  MPI_Comm_free(&pair);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::notify

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::notify::run); }
