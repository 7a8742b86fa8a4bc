/// @file
/// A call's lists: a count or a place for each rank, as its caller has them.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace wherry::collective {

/// Of MPI's ints or, where MPI has such lists (MPI-4.0, section 2.5.6), of large figures. Refers to the caller's array.
template <class Large> class figure_list {
 public:
  figure_list() = default;
  figure_list(std::nullptr_t) {}
  figure_list(const int* figures) : figures_(figures) {}
#if MPI_VERSION >= 4
  figure_list(const Large* figures) : figure_list(of_large(figures)) {}
#endif
  static figure_list of_large(const Large* figures) {
    figure_list list;
    list.figures_ = figures;
    list.is_large_ = true;
    return list;
  }

  template <std::integral Place> std::int64_t operator[](Place i) const {
    return is_large_ ? static_cast<std::int64_t>(static_cast<const Large*>(figures_)[i])
                     : static_cast<const int*>(figures_)[i];
  }
  bool operator==(std::nullptr_t) const { return figures_ == nullptr; }

  /// Which they are, also where there are none, as where they do not count.
  bool is_large() const { return is_large_; }
  /// Null where they are the other ones.
  const int* ints() const { return is_large_ ? nullptr : static_cast<const int*>(figures_); }
  const Large* large() const { return is_large_ ? static_cast<const Large*>(figures_) : nullptr; }

 private:
  const void* figures_ = nullptr;
  bool is_large_ = false;
};

using count_list = figure_list<MPI_Count>;
/// In elements; of the "w" forms, in bytes.
using place_list = figure_list<MPI_Aint>;

}  // namespace wherry::collective
