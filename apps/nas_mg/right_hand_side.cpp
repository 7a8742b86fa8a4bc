#include "right_hand_side.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/random_numbers.hpp"

namespace nas_mg {
namespace {

constexpr std::size_t charges = 10;  // of each sign

struct candidate {
  double number = 0;
  std::int64_t cell = -1;  // -1: none
};

/// The ten best candidates seen so far, in no order; `better(a, b)` compares numbers.
template <class Better> class ten_best {
 public:
  void offer(double number, std::int64_t cell) {
    if (best_.size() == charges && !Better{}(number, worst_)) return;
    if (best_.size() == charges) best_.erase(worst_one());
    best_.push_back({number, cell});
    worst_ = worst_one()->number;
  }

  /// Replaces the candidates by the ten best of all ranks. Collective.
  void combine(MPI_Comm comm) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    best_.resize(charges);  // ranks of few cells have fewer
    std::vector<candidate> all(static_cast<std::size_t>(size) * charges);
    constexpr int bytes = charges * sizeof(candidate);
    wherry::check_mpi(MPI_Allgather(best_.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm), "MPI_Allgather");
    best_.clear();
    for (const auto& c : all)
      if (c.cell >= 0) offer(c.number, c.cell);
  }

  const std::vector<candidate>& cells() const { return best_; }

 private:
  auto worst_one() {
    return std::max_element(best_.begin(), best_.end(),
                            [](const candidate& a, const candidate& b) { return Better{}(a.number, b.number); });
  }
  std::vector<candidate> best_;
  double worst_ = 0;
};

}  // namespace

void fill_right_hand_side(MPI_Comm comm, const brick& v, const wherry::box<3>& mine, long n) {
  ten_best<std::greater<>> largest;
  ten_best<std::less<>> smallest;
  for (long z = mine.lower[2]; z < mine.upper[2]; ++z)
    for (long y = mine.lower[1]; y < mine.upper[1]; ++y) {
      std::int64_t cell = (z * n + y) * n + mine.lower[0];
      apps::random_numbers random(static_cast<std::uint64_t>(cell));
      for (long x = mine.lower[0]; x < mine.upper[0]; ++x, ++cell) {
        const double number = random.next();
        largest.offer(number, cell);
        smallest.offer(number, cell);
      }
    }
  largest.combine(comm);
  smallest.combine(comm);

  const auto put = [&](const std::vector<candidate>& cells, double charge) {
    for (const auto& c : cells) {
      const wherry::point<3> at{c.cell % n, c.cell / n % n, c.cell / n / n};
      if (mine.contains(at)) v.at(at[1] - mine.lower[1], at[2] - mine.lower[2])[at[0] - mine.lower[0]] = charge;
    }
  };
  put(largest.cells(), 1.0);
  put(smallest.cells(), -1.0);
}

}  // namespace nas_mg
