// Lists of large counts and places (MPI-4.0, section 2.5.6): they mean what ints mean, and more.
#include <mpi.h>
#include <sys/mman.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"
#include "support/random.hpp"
#include "topologies.hpp"

using namespace wherry_test;
using collective_oracle::are_hundreds;
using collective_oracle::trial;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

constexpr bool mpi_has_them = MPI_VERSION >= 4;

/// A trial's lists, enlarged.
class large_lists {
 public:
  explicit large_lists(trial& one) {
    enlarge(one.what.send_counts, one.send_counts, send_counts_);
    enlarge(one.what.receive_counts, one.receive_counts, receive_counts_);
    enlarge(one.what.send_displacements, one.send_places, send_places_);
    enlarge(one.what.receive_displacements, one.receive_places, receive_places_);
  }

 private:
  template <class List, class Large>
  static void enlarge(List& list, const std::vector<int>& ints, std::vector<Large>& large) {
    if (list.ints() == nullptr) return;
    large.assign(ints.begin(), ints.end());
    list = List::of_large(large.data());
  }
  std::vector<MPI_Count> send_counts_, receive_counts_;
  std::vector<MPI_Aint> send_places_, receive_places_;
};

/// By every implementation that can, at once and in two phases; by MPI itself only if that is right.
/// @param cases counts what all processes try that share the test
void try_all(context& test, int& cases, const std::function<std::unique_ptr<trial>()>& make,
             bool mpi_is_right = mpi_has_them) {
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (!mpi_is_right && (row.name == "mpi" || row.name == "nonblocking")) continue;
    if (!test.has(cases++)) continue;
    for (const bool begun : {false, true}) {
      const auto one = make();
      const large_lists lists(*one);
      if (!wherry::collective::obstacle(one->what, row.name).empty()) continue;
      const auto title = std::string(row.name) + " " + one->name;
      test.note(title);
      if (begun)
        wherry::collective::start(one->what, {.protected_buffer = false, .implementation = row.name}).wait();
      else
        wherry::collective::run(one->what, row.name);
      const auto wrong = one->verdict();
      if (fault(!wrong.empty())) FAIL(title + ": " + wrong);
    }
  }
}

/// Addresses without memory behind them, but where they are written to.
class vast_memory {
 public:
  explicit vast_memory(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  vast_memory(const vast_memory&) = delete;
  vast_memory& operator=(const vast_memory&) = delete;
  ~vast_memory() {
    if (is_there()) munmap(data_, bytes_);
  }
  bool is_there() const { return data_ != MAP_FAILED; }
  char* data() const { return static_cast<char*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

}  // namespace

WHERRY_TEST(large_lists_mean_what_ints_mean, ranks(1, 2, 3, 4, 8).simulated_in(12)) {
  int cases = 0;
  const auto sizes = are_hundreds(test) ? std::vector<int>{7} : std::vector<int>{1, 40, 700};
  for (const auto what :
       {kind::gatherv, kind::scatterv, kind::allgatherv, kind::reduce_scatter, kind::alltoallv, kind::alltoallw})
    for (const int most : sizes)
      for (int round = 0; round < (are_hundreds(test) ? 1 : 3); ++round)
        try_all(test, cases, [&] {
          random_numbers random(hash(test.seed, static_cast<int>(what), most, round));
          return collective_oracle::random_trial(random, what, test.comm, most);
        });
}

WHERRY_TEST(large_lists_of_neighbours_mean_what_ints_mean,
            ranks(2, 3, 4).not_simulated("the simulator's MPI has no graphs")) {
  random_numbers random(test.seed);
  int cases = 0;
  for (int round = 0; round < 4; ++round) {
    const auto where = collective_oracle::random_topology(random, test.comm);
    for (const auto what : {kind::neighbor_allgatherv, kind::neighbor_alltoallv, kind::neighbor_alltoallw})
      try_all(
          test, cases,
          [&] {
            random_numbers again(hash(test.seed, static_cast<int>(what), round));
            return collective_oracle::random_trial_of_neighbors(again, what, *where, 40);
          },
          mpi_has_them && !where->breaks_mpich(what));
  }
}

WHERRY_TEST(places_may_be_beyond_an_int, ranks(2, 3).not_simulated("gigabytes of addresses a rank")) {
  constexpr MPI_Aint gap = MPI_Aint{3} << 30;
  const vast_memory vast(static_cast<std::size_t>(gap) * static_cast<std::size_t>(test.size));
  int all_have_it = vast.is_there() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all_have_it, 1, MPI_INT, MPI_MIN, test.comm);
  if (all_have_it == 0) test.skip("there is not so much address space");
  using wherry::collective::count_list;
  using wherry::collective::place_list;
  std::vector<MPI_Count> counts(static_cast<std::size_t>(test.size), 5);
  std::vector<MPI_Aint> places;
  for (int r = 0; r < test.size; ++r) places.push_back(r * gap);
  char round = 'a';
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (!mpi_has_them && (row.name == "mpi" || row.name == "nonblocking")) continue;
    const std::string mine(5, static_cast<char>(++round + test.rank));
    const auto what = call::allgatherv(mine.data(), 5, MPI_CHAR, vast.data(), count_list::of_large(counts.data()),
                                       place_list::of_large(places.data()), MPI_CHAR, test.comm);
    if (!wherry::collective::obstacle(what, row.name).empty()) continue;
    wherry::collective::run(what, row.name);
    for (int r = 0; r < test.size; ++r)
      CHECK_EQUAL(std::string(vast.data() + r * gap, 5), std::string(5, static_cast<char>(round + r)));
  }
}
