// bench_bindings: the cost of the C interface and of the modules for Fortran. The same halo exchange of the same arrays
// is started and waited for by C++, C and Fortran, in turns. Each line of output is a record. (The program has Wherry
// twice: its own, and that inside of libwherry_c.so.)
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "wherry.h"
#include "wherry/wherry.hpp"

#include "bindings/by_fortran.hpp"
#include "harness/arguments.hpp"
#include "harness/contest.hpp"

namespace bench::bindings {
namespace {

struct options {
  std::vector<int> sizes{8, 64};
  double seconds = 1;
  std::FILE* out = stdout;
};

/// A cube of doubles with a halo of one cell, on a periodic grid.
struct cube {
  std::int64_t extents[3];
  std::vector<double> values;

  explicit cube(int n) : extents{n + 2, n + 2, n + 2}, values(static_cast<std::size_t>((n + 2) * (n + 2) * (n + 2))) {}
};

/// Which dimension of the cube is contiguous. The order decides in which order an exchange copies, and thus its time,
/// so that each language is compared with C++ in the language's own order.
enum class contiguous { first, last };

class by_cpp {
 public:
  explicit by_cpp(cube& u, contiguous which)
      : grid_(wherry::communicator(MPI_COMM_WORLD), {.periodic = {true, true, true}}),
        fill_(grid_, options_of(which), std::vector<wherry::halo_field>{field_of(u, which)}) {}
  void operator()() {
    fill_.start();
    fill_.wait();
  }

 private:
  static wherry::halo_options options_of(contiguous which) {
    wherry::halo_options options;
    if (which == contiguous::first)
      options.axes = {2, 1, 0};  // the slowest dimension is cut first, as in the other order
    return options;
  }
  static wherry::halo_field field_of(cube& u, contiguous which) {
    wherry::halo_field made;
    made.data = u.values.data();
    made.element = sizeof(double);
    made.type = wherry::plans::element_of<double>();
    made.dimensions = 3;
    std::int64_t stride = sizeof(double);
    for (std::size_t i = 0; i < 3; ++i, stride *= u.extents[0]) {
      const std::size_t d = which == contiguous::first ? i : 2 - i;
      made.halo[d] = {1, 1, 1, u.extents[d] - 2, u.extents[d]};
      made.stride[d] = stride;
    }
    return made;
  }
  wherry::process_grid grid_;
  wherry::halo_exchange fill_;
};

class by_c {
 public:
  explicit by_c(cube& u) {
    const int periodic[3] = {1, 1, 1};
    wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
    shape.periodic = periodic;
    wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm_));
    wherry_require(wherry_process_grid_create(comm_, 3, &shape, &grid_));
    const auto field = wherry_field_inside(wherry_c_array(u.values.data(), WHERRY_FLOAT64, 3, u.extents), 1);
    wherry_require(wherry_halo_exchange_create(grid_, 1, &field, nullptr, &fill_));
  }
  by_c(const by_c&) = delete;
  by_c& operator=(const by_c&) = delete;
  ~by_c() {
    wherry_exchange_free(&fill_);
    wherry_process_grid_free(&grid_);
    wherry_communicator_free(&comm_);
  }
  void operator()() {
    if (wherry_exchange_start(fill_) != WHERRY_SUCCESS || wherry_exchange_wait(fill_) != WHERRY_SUCCESS)
      throw std::runtime_error(wherry_last_error()->text);
  }

 private:
  wherry_communicator comm_ = nullptr;
  wherry_process_grid grid_ = nullptr;
  wherry_exchange fill_ = nullptr;
};

/// The number of exchanges that are timed together.
int exchanges_of(int n) { return n <= 16 ? 1000 : 50; }

/// Times the contenders in turns, and compares pairs of them.
/// @param times how often each does its work when it is called
void contend(const options& given, const std::string& what, int times, const std::vector<contender>& contenders,
             const std::vector<pairing>& pairs) {
  auto all = contest(MPI_COMM_WORLD, contenders, given.seconds, 15);
  if (given.out == nullptr) return;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::printf("%s, %d ranks\n", what.c_str(), ranks);
  for (auto& by : all)
    for (double& us : by.us) us /= times;
  for (const auto& by : all) std::printf("  %-21s %10.3f us\n", by.name.c_str(), median(by.us));
  if (given.out == stdout) return;
  for (const auto& [ours, peer] : pairs)
    std::fprintf(given.out, "%s\n", comparison_record("bindings", what, ranks, all[ours], all[peer]).text().c_str());
}

/// The cube after an exchange by `exchange`, of numbers that differ on all ranks.
template <class Exchange> std::vector<double> filled(cube& u, Exchange&& exchange) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (std::size_t i = 0; i < u.values.size(); ++i) u.values[i] = rank * 1e6 + static_cast<double>(i);
  exchange();
  return u.values;
}

void compare(const options& given, int n) {
  cube u(n);
  by_cpp cpp(u, contiguous::last), cpp_for_fortran(u, contiguous::first);
  by_c c(u);
  by_fortran fortran(n + 2, u.values);
  const auto expected = filled(u, cpp);
  if (filled(u, c) != expected) throw std::runtime_error("C and C++ fill other halos");
  if (filled(u, cpp_for_fortran) != expected) throw std::runtime_error("C++ fills other halos in another order");
  if (with_fortran && filled(u, [&] { fortran(1); }) != expected)
    throw std::runtime_error("Fortran and C++ fill other halos");

  const int times = exchanges_of(n);
  const auto repeated = [times](auto& exchange) {
    return [&exchange, times] {
      for (int i = 0; i < times; ++i) exchange();
    };
  };
  std::vector<contender> contenders{{.name = "C", .run = repeated(c)}, {.name = "C++", .run = repeated(cpp)}};
  std::vector<pairing> pairs{{0, 1}};
  if (with_fortran) {
    contenders.push_back({.name = "Fortran", .run = [&fortran, times] { fortran(times); }});
    contenders.push_back({.name = "C++, Fortran's order", .run = repeated(cpp_for_fortran)});
    pairs.push_back({2, 3});
  }
  contend(given, "halo exchange of a cube of " + std::to_string(n), times, contenders, pairs);
}

/// A sum of one number by several ranks.
void compare_collectives(const options& given) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks == 1) return;  // nothing but the call would be timed
  double mine = 1, sum = 0;
  const int times = 1000;
  const auto c = [&] {
    for (int i = 0; i < times; ++i)
      if (wherry_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != WHERRY_SUCCESS)
        throw std::runtime_error(wherry_last_error()->text);
  };
  const auto cpp = [&] {
    for (int i = 0; i < times; ++i)
      wherry::collective::run(wherry::collective::call::allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  };
  contend(given, "allreduce of a number", times, {{.name = "C", .run = c}, {.name = "C++", .run = cpp}}, {{0, 1}});
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.sizes = words.list("--sizes", given.sizes);
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  if (!with_fortran && mpi.rank() == 0)
    std::printf("Fortran is left out: this build has no Fortran compiler for its MPI\n");
  for (const int n : given.sizes) compare(given, n);
  compare_collectives(given);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::bindings

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::bindings::run); }
