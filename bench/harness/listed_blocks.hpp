/// @file
/// Collectives with lists of the lengths of their blocks: gatherv, alltoallw, …
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace bench::collective {

/// The lengths of the blocks: all the same, or from nearly 0 up to twice that length. A rank of an alltoall sends and
/// receives the same amount in both cases.
enum class lengths { even, uneven };
inline constexpr lengths all_lengths[] = {lengths::even, lengths::uneven};
const char* name_of(lengths how);

bool has_lists(wherry::collective::kind what);
/// True if all ranks know the lengths of all blocks. Otherwise only the sender and the receiver of a block know its
/// length, so that a choice cannot depend on it (see `choose`).
bool all_know_lengths(wherry::collective::kind what);

/// The blocks of one rank in such a call.
class listed_blocks {
 public:
  /// @param count mean number of elements of a block
  listed_blocks(wherry::collective::kind what, int rank, int size, std::size_t count, lengths how);

  std::size_t sent() const { return sends_all() ? all() : own(); }
  std::size_t received() const { return receives_all() ? all() : own(); }
  /// Makes the call, which refers to this object.
  wherry::collective::call call_of(MPI_Comm comm, const double* send, double* receive) const;

  /// True if the right elements have arrived. @param sent `sent(from, i)` is element i of the data that rank `from`
  /// sends; `sum(i)` is the sum of these over all ranks
  template <class Sent, class Sum> bool is_right(const double* receive, Sent&& sent, Sum&& sum) const {
    using wherry::collective::kind;
    const auto is = [&](int block, auto&& value) {
      for (int i = 0; i < counts_[place(block)]; ++i)
        if (receive[places_[place(block)] + i] != value(static_cast<std::size_t>(i))) return false;
      return true;
    };
    const auto own_is = [&](auto&& value) {
      for (std::size_t i = 0; i < own(); ++i)
        if (receive[i] != value(static_cast<std::size_t>(places_[place(rank_)]) + i)) return false;
      return true;
    };
    if (what_ == kind::scatterv) return own_is([&](std::size_t i) { return sent(0, i); });
    if (what_ == kind::reduce_scatter) return own_is(sum);
    if (what_ == kind::gatherv && rank_ != 0) return true;
    for (int from = 0; from < size(); ++from) {
      const auto begins = each_gets_another() ? place_at(from) : 0;
      if (!is(from, [&](std::size_t i) { return sent(from, begins + i); })) return false;
    }
    return true;
  }

 private:
  static std::size_t place(int block) { return static_cast<std::size_t>(block); }
  int size() const { return static_cast<int>(counts_.size()); }
  std::size_t own() const { return static_cast<std::size_t>(counts_[place(rank_)]); }
  std::size_t all() const {
    return static_cast<std::size_t>(places_.back()) + static_cast<std::size_t>(counts_.back());
  }
  bool each_gets_another() const;
  bool sends_all() const;
  bool receives_all() const;
  /// The place at which this rank's block begins in the data that `sender` sends in an alltoall.
  std::size_t place_at(int sender) const;

  wherry::collective::kind what_;
  int rank_;
  std::size_t count_;
  lengths how_;
  std::vector<int> counts_, places_;  // in numbers
  std::vector<int> addresses_;        // in bytes, of alltoallw alone
  std::vector<MPI_Datatype> types_;
};

/// Calls MPI's own function, as a program does.
void call_mpi_with_lists(const wherry::collective::call& c);

}  // namespace bench::collective
