/// @file
/// Collectives whose blocks have lengths of their own, in lists: gatherv, alltoallw, …
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace bench::collective {

/// How the numbers of all ranks are shared out among blocks: the same to each, or from next to nothing up to twice
/// that. A rank of an alltoall sends and receives as much in either case.
enum class lengths { even, uneven };
inline constexpr lengths all_lengths[] = {lengths::even, lengths::uneven};
const char* name_of(lengths how);

bool has_lists(wherry::collective::kind what);
/// Else only who sends or receives a block knows how long it is, so that a choice cannot depend on it (see `choose`).
bool all_know_lengths(wherry::collective::kind what);

/// The blocks of one rank in such a call.
class listed_blocks {
 public:
  /// @param count numbers of a block, in the mean
  listed_blocks(wherry::collective::kind what, int rank, int size, std::size_t count, lengths how);

  std::size_t sent() const { return sends_all() ? all() : own(); }
  std::size_t received() const { return receives_all() ? all() : own(); }
  /// Refers to this.
  wherry::collective::call call_of(MPI_Comm comm, const double* send, double* receive) const;

  /// Whether that has come. @param sent(from, i): number i of what rank `from` sends; their sum over all ranks is
  /// sum(i)
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
  /// Where in what `sender` sends in an alltoall this rank's block begins.
  std::size_t place_at(int sender) const;

  wherry::collective::kind what_;
  int rank_;
  std::size_t count_;
  lengths how_;
  std::vector<int> counts_, places_;  // in numbers
  std::vector<int> addresses_;        // in bytes, of alltoallw alone
  std::vector<MPI_Datatype> types_;
};

/// MPI's own as a program calls it.
void call_mpi_with_lists(const wherry::collective::call& c);

}  // namespace bench::collective
