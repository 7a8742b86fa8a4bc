/// @file
/// The lists in a call: a count or a displacement for each rank, in the caller's integer type. `call` has parameters of
/// these types; an array converts to them.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace wherry::collective {

/// A list of MPI's ints or, with MPI-4.0 (section 2.5.6), of large integers. It refers to the caller's array, and does
/// not copy it.
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

  /// True for large integers, also if the list is null because it is not significant on this rank.
  bool is_large() const { return is_large_; }
  /// The array, or null if it has the other type.
  const int* ints() const { return is_large_ ? nullptr : static_cast<const int*>(figures_); }
  const Large* large() const { return is_large_ ? static_cast<const Large*>(figures_) : nullptr; }

 private:
  const void* figures_ = nullptr;
  bool is_large_ = false;
};

using count_list = figure_list<MPI_Count>;
/// Displacements in elements; for the "w" forms in bytes.
using place_list = figure_list<MPI_Aint>;

}  // namespace wherry::collective
