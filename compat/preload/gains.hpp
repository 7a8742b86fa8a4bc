// What calls of ours take, what MPI's took where it was its turn, and what that says of all calls.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wherry::preload {

/// Calls are compared with calls of about their size: up to 8 bytes, 32, 128, … (0: none).
inline constexpr int size_classes = 18;
int size_class(std::int64_t bytes);

/// Microseconds of calls that were alike; the newest that there is room for.
class sample_list {
 public:
  void add(double us) { values_[count_++ % values_.size()] = static_cast<float>(us); }
  std::vector<double> sorted() const;

 private:
  std::array<float, 64> values_{};
  std::size_t count_ = 0;
};

/// Where the median lies, in 19 of 20 cases: by counting, so that no outlier matters. Enough are six.
struct interval {
  double median = 0, low = 0, high = 0;
};
inline constexpr std::size_t fewest_samples = 6;
interval interval_of(const std::vector<double>& sorted);

/// Of one size.
struct measured {
  std::uint64_t calls = 0;  ///< all that were made, by us
  sample_list ours, mpi;
};

/// Of one collective. All times in microseconds.
struct gain {
  std::uint64_t calls = 0;               ///< of sizes that were timed often enough
  std::uint64_t left_out = 0;            ///< of others
  double ours = 0, mpi = 0;              ///< what they take, about; by MPI what it would be
  double saved_low = 0, saved_high = 0;  ///< between what the intervals allow

  bool is_clear() const { return saved_low > 0 || saved_high < 0; }
};
gain gain_of(const measured* sizes);

/// "took about 95 ms; by MPI 128 ms: 33 ms (26 %) saved"; nothing where nothing was compared.
std::string words_for(const gain& one);

}  // namespace wherry::preload
