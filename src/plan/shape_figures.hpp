// Figures of the shapes of very many rows, without making blocks of them.
#pragma once

#include <cstdint>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// A strided shape with small numbers and without a conversion, as nearly all are; null for all others.
class small_shape {
 public:
  small_shape(const plans::shape_table& shapes, std::uint32_t shape) : words_(shapes.strided_words(shape)) {}

  explicit operator bool() const { return words_ != nullptr; }
  std::int64_t run() const { return words_[1]; }
  std::int64_t element() const { return words_[2]; }
  int loops() const { return plans::shape_table::loops_in(words_); }
  const std::int32_t* words() const { return words_; }
  int length() const { return 3 + 2 * loops(); }
  /// The number of runs; -1 if an int64 cannot hold the number of their bytes.
  std::int64_t runs() const {
    std::int64_t count = 1, bytes = 0;
    for (int d = 0; d < loops(); ++d)
      if (__builtin_mul_overflow(count, std::int64_t{words_[3 + 2 * d]}, &count)) return -1;
    return __builtin_mul_overflow(count, run(), &bytes) ? -1 : count;
  }

 private:
  const std::int32_t* words_;
};

/// See `block::wire_bytes`.
inline std::int64_t wire_bytes_of(const plans::shape_table& shapes, std::uint32_t shape) {
  if (const small_shape small(shapes, shape); small)
    if (const auto runs = small.runs(); runs >= 0) return runs * small.run();
  return shapes[shape].wire_bytes();
}

}  // namespace wherry
