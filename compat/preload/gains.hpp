// How long Wherry's calls take, how long MPI's took when it was its turn, and the gain over all calls that follows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wherry::preload {

/// The number of size classes. Calls are compared with calls of about their size: no bytes, up to 8, up to 32, up to
/// 128, …
inline constexpr int size_classes = 18;
int size_class(std::int64_t bytes);

/// The microseconds of similar calls: the newest 64.
class sample_list {
 public:
  void add(double us) { values_[count_++ % values_.size()] = static_cast<float>(us); }
  std::vector<double> sorted() const;

 private:
  std::array<float, 64> values_{};
  std::size_t count_ = 0;
};

/// The interval in which the median lies in 19 of 20 cases. It is found by counting, so that no outlier matters. Six
/// samples are enough.
struct interval {
  double median = 0, low = 0, high = 0;
};
inline constexpr std::size_t fewest_samples = 6;
interval interval_of(const std::vector<double>& sorted);

/// The measurements of one collective for one size class.
struct measured {
  std::uint64_t calls = 0;  ///< all that Wherry did
  sample_list ours, mpi;
};

/// The gain of one collective. All times are in microseconds.
struct gain {
  std::uint64_t calls = 0;               ///< of sizes that were timed often enough
  std::uint64_t left_out = 0;            ///< of other sizes
  double ours = 0, mpi = 0;              ///< the estimated time of these calls, and of the same by MPI
  double saved_low = 0, saved_high = 0;  ///< the bounds that the intervals allow

  bool is_clear() const { return saved_low > 0 || saved_high < 0; }
};
gain gain_of(const measured* sizes);

/// "took about 95 ms; by MPI 128 ms: 33 ms (26 %) saved"; empty if nothing was compared.
std::string words_for(const gain& one);

}  // namespace wherry::preload
